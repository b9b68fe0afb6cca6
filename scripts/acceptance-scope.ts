import { execFileSync } from 'node:child_process'

/** What the acceptance suite judges: the embedded server, and the adapter to either, without their own tests. */
const JUDGED = [
  'composer',
  'media-server',
  'server/src/platform/media/livekit',
  ':(exclude,glob)*/src/**/*.test.ts',
]

/**
 * How much of the acceptance suite an everyday run takes: all of it where something that it judges was
 * changed since the base of the branch (`TEST_BASE`, else where it left `origin/main`, else the commit
 * before), its core otherwise. Of another server than the embedded one it takes all.
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
    // No repository, or one without a past: nobody can say what was changed.
    return 'whole'
  }
}
