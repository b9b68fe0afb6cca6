/**
 * Variables with the places of programs, libraries, fonts and temporary files, and those that Windows needs. `FFREPORT` is not
 * among them: ffmpeg would write every address into a file.
 */
const NEEDED = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'DYLD_FALLBACK_LIBRARY_PATH',
  'FONTCONFIG_FILE',
  'FONTCONFIG_PATH',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
]

/** The environment for a program that decodes untrusted files: the environment of this process holds secrets. */
export function programEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(NEEDED.map((name) => [name, process.env[name]]))
}
