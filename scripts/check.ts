import { spawnSync } from 'node:child_process'
import path from 'node:path'

/** What must hold besides the tests. Every check runs, so that one run shows every problem. */
const CHECKS: readonly (readonly [name: string, command: string, args: readonly string[]])[] = [
  ['format', 'oxfmt', ['--check', '.']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['types', 'tsc', ['-p', '.']],
  ...['contract', 'sdk', 'composer', 'media-server', 'server', 'web', 'e2e', 'bench'].map(
    (workspace) => [`types of ${workspace}`, 'tsc', ['-p', workspace]] as const,
  ),
  [
    'folder rules',
    'depcruise',
    [
      '--config',
      '.dependency-cruiser.mjs',
      'contract',
      'sdk',
      'composer',
      'media-server',
      'server',
      'web',
      'e2e',
      'bench',
    ],
  ],
  [
    'cycles between folders',
    'depcruise',
    [
      '--config',
      '.dependency-cruiser.folders.mjs',
      'server/src',
      'composer/src',
      'media-server/src',
      'web/src',
    ],
  ],
  ['statements and clock', 'node', ['scripts/sql-rules.ts']],
  ['documentation', 'node', ['scripts/docs-rules.ts']],
  ['dead code', 'knip', []],
  // Every platform's packages are in the lock file, also those that this one does not install.
  ['lock file', 'npm', ['ci', '--dry-run', '--ignore-scripts', '--offline', '--silent']],
]

const ROOT = path.resolve(import.meta.dirname, '..')
const failed: string[] = []
for (const [name, command, args] of CHECKS) {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' })
  process.stdout.write(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}\n`)
  if (status !== 0) failed.push(name)
}
process.exitCode = failed.length > 0 ? 1 : 0
