import { spawnSync } from 'node:child_process'
import path from 'node:path'

export interface Check {
  name: string
  /** A program of `node_modules/.bin`, a script of this repository, or npm. */
  command: string
  args: readonly string[]
  /** A link to the rule, or the command that repairs the problem. It is printed next to a failure. */
  see?: string
  /** Runs only if this one passes, because it would repeat the same problem many times. */
  after?: string
}

export const FOLDERS = [
  'contract',
  'sdk',
  'composer',
  'media-server',
  'server',
  'web',
  'e2e',
  'bench',
]
const FOLDER_RULES =
  'docs/architecture.md#rules-between-folders; never mind a warning about a TypeScript compiler'

/** The checks that have to pass besides the tests. All of them run, so that one run shows every problem. */
export const CHECKS: readonly Check[] = [
  { name: 'format', command: 'oxfmt', args: ['--check', '.'], see: 'npm run format' },
  {
    name: 'lint',
    command: 'oxlint',
    args: ['--type-aware', '--deny-warnings'],
    see: '.oxlintrc.json',
  },
  {
    name: 'styles',
    command: 'stylelint',
    args: ['--config', 'web/.stylelintrc.json', 'web/src/**/*.css'],
    see: 'docs/style-guide.md#styles',
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
    command: 'scripts/sql-rules.ts',
    args: [],
    see: 'docs/architecture.md#rules-between-folders',
  },
  {
    name: 'documentation',
    command: 'scripts/docs-rules.ts',
    args: [],
    see: 'CONTRIBUTING.md#documentation',
  },
  {
    name: 'comments',
    command: 'scripts/comment-rules.ts',
    args: [],
    see: 'docs/style-guide.md#comments',
  },
  { name: 'dead code', command: 'knip', args: [], see: 'knip.json' },
  {
    // The lock file lists the packages of every platform, including the ones that are not installed here.
    name: 'lock file',
    command: 'npm',
    args: ['ci', '--dry-run', '--ignore-scripts', '--offline'],
    see: 'npm install',
  },
]

/** The program and arguments of a check in a checkout. Node programs run on the Node of this process. */
export function commandOf({ command, args }: Check, root: string): [string, string[]] {
  if (command === 'npm') return [command, [...args]]
  const file = command.endsWith('.ts') ? command : `node_modules/.bin/${command}`
  return [process.execPath, [path.join(root, file), ...args]]
}

function runChecks(root: string): string[] {
  const failed: string[] = []
  for (const check of CHECKS) {
    const { name, see, after } = check
    if (after !== undefined && failed.includes(after)) {
      process.stdout.write(`skipped ${name}, until the ${after} pass\n`)
      continue
    }
    const [program, args] = commandOf(check, root)
    const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
    const hint = see === undefined ? '' : ` (see ${see})`
    process.stdout.write(status === 0 ? `ok    ${name}\n` : `FAILED ${name}${hint}\n`)
    if (status !== 0) failed.push(name)
  }
  return failed
}

if (import.meta.main) {
  const failed = runChecks(path.resolve(import.meta.dirname, '..'))
  if (failed.length > 0) process.stdout.write(`\nFailed: ${failed.join(', ')}\n`)
  process.exitCode = failed.length > 0 ? 1 : 0
}
