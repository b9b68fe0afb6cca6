const FILE_NAME_MAX = 255

/**
 * A file name that is safe to show and to send in a header: without folders, control and invisible characters, at most 255
 * characters including the extension. Empty when nothing remains.
 */
export function cleanFileName(given: string): string {
  const base = given.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const name = base
    .normalize('NFC')
    // Control characters, and format characters that can make a name look like another.
    .replaceAll(/\p{C}/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  const characters = Array.from(name)
  if (characters.length <= FILE_NAME_MAX) return name
  const extension = Array.from(/\.[^.]{1,16}$/u.exec(name)?.[0] ?? '')
  return [...characters.slice(0, FILE_NAME_MAX - extension.length), ...extension].join('')
}
