import { spawnSync } from 'node:child_process'
import path from 'node:path'

interface Check {
  name: string
  command: string
  args: readonly string[]
  /** Where the rule is, or what mends it: printed beside a failure. */
  see?: string
  /** Runs only if this one passes, because it would repeat the same problem many times. */
  after?: string
}

const FOLDERS = ['contract', 'sdk', 'composer', 'media-server', 'server', 'web', 'e2e', 'bench']
const FOLDER_RULES =
  'docs/architecture.md#rules-between-folders; never mind a warning about a TypeScript compiler'

/** What must hold besides the tests. Every check runs, so that one run shows every problem. */
const CHECKS: readonly Check[] = [
  { name: 'format', command: 'oxfmt', args: ['--check', '.'], see: 'npm run format' },
  {
    name: 'lint',
    command: 'oxlint',
    args: ['--type-aware', '--deny-warnings'],
    see: '.oxlintrc.json',
  },
  { name: 'types', command: 'tsc', args: ['-p', '.'] },
  ...FOLDERS.map((workspace) => ({
    name: `types of ${workspace}`,
    command: 'tsc',
    args: ['-p', workspace],
  })),
  {
    name: 'folder rules',
    command: 'depcruise',
    args: ['--config', '.dependency-cruiser.mjs', ...FOLDERS],
    see: FOLDER_RULES,
  },
  {
    name: 'cycles between folders',
    command: 'depcruise',
    args: [
      '--config',
      '.dependency-cruiser.folders.mjs',
      'server/src',
      'composer/src',
      'media-server/src',
      'web/src',
    ],
    see: FOLDER_RULES,
    // One import of a higher folder closes dozens of cycles.
    after: 'folder rules',
  },
  {
    name: 'statements and clock',
    command: 'node',
    args: ['scripts/sql-rules.ts'],
    see: 'docs/architecture.md#rules-between-folders',
  },
  {
    name: 'documentation',
    command: 'node',
    args: ['scripts/docs-rules.ts'],
    see: 'CONTRIBUTING.md#documentation',
  },
  {
    name: 'words',
    command: 'node',
    args: ['scripts/glossary-rules.ts'],
    see: 'docs/glossary.md',
  },
  { name: 'dead code', command: 'knip', args: [], see: 'knip.json' },
  {
    // Every platform's packages are in the lock file, also those that this one does not install.
    name: 'lock file',
    command: 'npm',
    args: ['ci', '--dry-run', '--ignore-scripts', '--offline', '--silent'],
    see: 'npm install',
  },
]

const ROOT = path.resolve(import.meta.dirname, '..')
const failed: string[] = []
for (const { name, command, args, see, after } of CHECKS) {
  if (after !== undefined && failed.includes(after)) {
    process.stdout.write(`skipped ${name}, until the ${after} pass\n`)
    continue
  }
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' })
  const hint = see === undefined ? '' : ` (see ${see})`
  process.stdout.write(status === 0 ? `ok    ${name}\n` : `FAILED ${name}${hint}\n`)
  if (status !== 0) failed.push(name)
}
if (failed.length > 0) process.stdout.write(`\nFailed: ${failed.join(', ')}\n`)
process.exitCode = failed.length > 0 ? 1 : 0
