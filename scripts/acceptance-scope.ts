import { execFileSync } from 'node:child_process'

/**
 * The code that the acceptance suite tests: the embedded server and the adapter that works with either server. Their
 * own tests do not count.
 */
const JUDGED = [
  'composer',
  'media-server',
  'server/src/platform/media/livekit',
  ':(exclude,glob)*/src/**/*.test.ts',
]

/**
 * Decides how much of the acceptance suite an everyday run takes. It takes all of it if code that it tests has
 * changed since the base of the branch (`TEST_BASE`, else the merge base with `origin/main`, else the previous
 * commit), and otherwise its core. Against another server than the embedded one it always takes all.
 */
export function acceptanceScope(root: string): 'core' | 'whole' {
  const asked = process.env['TEST_SCOPE']
  if (asked === 'core' || asked === 'whole') return asked
  if ((process.env['LIVEKIT_ACCEPTANCE_URL'] ?? '') !== '') return 'whole'

  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const head = git('rev-parse', 'HEAD').trim()
    const left = process.env['TEST_BASE'] ?? git('merge-base', 'HEAD', 'origin/main').trim()
    const base = left === head ? 'HEAD^' : left
    return git('diff', '--name-only', base, '--', ...JUDGED).trim() === '' ? 'core' : 'whole'
  } catch {
    // Without a repository or a history, nothing tells which files have changed.
    return 'whole'
  }
}
