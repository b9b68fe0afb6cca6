import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Check, CHECKS, commandOf, FOLDERS } from '../../scripts/check.ts'
import { copySources, linkPackages, ROOT } from './testing/repository-copy.ts'

/**
 * Each check of `npm run check` must be able to fail: a copy of the repository gets a violation of every kind, and every check
 * has to name its own.
 */

/** New files of the copy. Each contains one violation. */
const PLANTED: Record<string, string> = {
  'contract/src/planted-format.ts': 'export  const planted = true\n',
  'scripts/planted-type.ts': "export const planted: number = 'text'\n",
  ...Object.fromEntries(
    FOLDERS.map((folder) => [`${folder}/src/planted-type.ts`, 'export const planted: number = ""']),
  ),
  'server/src/platform/lib/planted-import.ts': "import '../../domain/booking/slot.ts'\n",
  'composer/src/planted-one/one.ts': "import '../planted-two/two.ts'\n",
  'composer/src/planted-one/other.ts': 'export const planted = true\n',
  'composer/src/planted-two/two.ts': 'export const planted = true\n',
  'composer/src/planted-two/other.ts': "import '../planted-one/other.ts'\n",
  'server/src/domain/chat/planted-clock.ts': 'export const planted = new Date()\n',
  'sdk/src/planted-comment.ts': '// Whose worker died says nothing.\nexport const planted = true\n',
  'web/src/planted.css':
    '.planted { padding: 7px 1px; font-size: var(--type-14); line-height: 1.4; border-radius: 3px; }\n.other { font-weight: 500; transition: color 1s; gap: calc(2rem + 1px); box-shadow: 0 0 #000; }\n',
  'docs/planted.md': '# Planted\n\nSee [nothing](nothing.md).\n',
  'contract/src/planted-dead.ts': 'export const planted = true\n',
  'server/src/planted-dead.ts': 'export const planted = true\n',
}

/** Name of a check -> the lines that it must print. */
const SAID: Record<string, readonly string[]> = {
  format: ['contract/src/planted-format.ts'],
  // Colours may stand between a place and its message.
  styles: [
    '1:21',
    '1:70',
    '1:90',
    '2:23',
    '2:40',
    '2:55',
    '2:85',
    'Use a value of design/tokens.css',
    'Use 400 or 600',
  ],
  types: ['scripts/planted-type.ts(1,14): error TS2322'],
  'types of contract': ['contract/src/planted-type.ts(1,14): error TS2322'],
  'folder rules': ['platform-knows-nothing-of-interviews: server/src/platform/lib/planted-import'],
  'cycles between folders': ['no-cycles-between-folders: composer/src/planted-one'],
  'statements and clock': ['server/src/domain/chat/planted-clock.ts reads the clock'],
  documentation: [
    'docs/planted.md:3 links to nothing.md: no such file',
    'docs/README.md does not list docs/planted.md',
  ],
  comments: ['sdk/src/planted-comment.ts:1 starts as a fragment'],
  'dead code': [
    'Unused files',
    'server/src/planted-dead.ts',
    'Unused exports',
    'plantedExport',
    'Unlisted dependencies',
    'planted-unlisted',
    'Unused dependencies',
    'planted-unused',
  ],
  'lock file': ['planted-unused'],
}

/** Rule of the linter -> a file that breaks it. Every rule that `.oxlintrc.json` names is here, and one of each plugin. */
const LINTED: Record<string, string> = {
  'eslint(no-console)': "console.log('planted')",
  'eslint(max-depth)':
    'export function f(a: boolean) { if (a) { if (a) { if (a) { if (a) { f(a) } } } } }',
  'eslint(max-lines)': lines(301),
  'eslint(max-lines-per-function)': `export function planted() {\n${lines(61, 'planted()')}\n}`,
  'eslint(max-params)': 'export const planted = (a: 1, b: 2, c: 3, d: 4, e: 5) => [a, b, c, d, e]',
  'eslint(no-dupe-keys)': 'export const planted = { a: 1, a: 2 }',
  'eslint(no-useless-concat)': "export const planted = 'a' + 'b'",
  'import(no-default-export)': 'export default 1',
  'jsx-a11y(alt-text)': "export const Planted = () => <img src='planted.png' />",
  'pages(bare-text)':
    'export const Planted = (on: boolean, text: string) => <p>{on && <i />}{text}</p>',
  'promise(no-new-statics)': 'export const planted = new Promise.resolve(1)',
  'react(jsx-key)': 'export const Planted = () => [1, 2].map((each) => <b>{each}</b>)',
  'typescript(consistent-type-imports)':
    "import { Db } from './platform/db/db.ts'\nexport type Planted = Db",
  'typescript(no-explicit-any)': 'export type Planted = any',
  'typescript(no-floating-promises)': 'export function planted() { fetch("/") }',
  'typescript(no-misused-promises)': 'export function planted() { if (fetch("/")) planted() }',
  'typescript(switch-exhaustiveness-check)':
    "export function planted(a: 'x' | 'y') { switch (a) { case 'x': return 1 } }",
  'unicorn(no-useless-spread)': 'export const planted = [...[1, 2]]',
  'vitest(expect-expect)': "import { test } from 'vitest'\ntest('planted', () => {})",
  'vitest(no-standalone-expect)': "import { expect } from 'vitest'\nexpect(1).toBe(1)",
  'vitest(valid-expect)': "import { expect, test } from 'vitest'\ntest('a', () => { expect(1) })",
}

function lines(count: number, line = 'export {}'): string {
  return Array.from({ length: count }, () => line).join('\n')
}

function lintedFile(rule: string): string {
  const name = rule.replaceAll(/[()]/g, '-')
  const extension = rule.startsWith('vitest')
    ? 'test.ts'
    : /^(react|jsx|pages)/.test(rule)
      ? 'tsx'
      : 'ts'
  return `${extension === 'tsx' ? 'web' : 'server'}/src/planted-${name}.${extension}`
}

let copy: string
beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'interview-room-checks-'))
  await copySources(copy)
  await linkPackages(copy)
  const linted = Object.entries(LINTED).map(
    ([rule, content]) => [lintedFile(rule), content] as const,
  )
  for (const [file, content] of [...Object.entries(PLANTED), ...linted]) {
    const place = path.join(copy, file)
    await mkdir(path.dirname(place), { recursive: true })
    await writeFile(place, content)
  }
  await edit(
    'server/src/app.ts',
    (content) => `import 'planted-unlisted'\n${content}\nexport const plantedExport = true\n`,
  )
  await edit('server/package.json', (content) =>
    content.replace('"dependencies": {', '"dependencies": {\n    "planted-unused": "1.0.0",'),
  )
})
afterAll(async () => rm(copy, { recursive: true }))

async function edit(file: string, change: (content: string) => string): Promise<void> {
  const place = path.join(copy, file)
  await writeFile(place, change(await readFile(place, 'utf8')))
}

async function runIn(check: Check, ...more: string[]): Promise<{ exitCode: number; said: string }> {
  const [program, args] = commandOf(check, copy)
  const child = spawn(program, [...args, ...more], { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] })
  const [said, complained, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ])
  return { exitCode, said: said + complained }
}

describe('npm run check', () => {
  /** They differ only in their files. */
  const ofTypes = CHECKS.filter(({ name }) => /^types of (?!contract)/.test(name))
  const others = CHECKS.filter((check) => check.name !== 'lint' && !ofTypes.includes(check))
  test.each(others.map((check) => [check.name, check] as const))(
    'fails over a violation of "%s", and names it',
    async (name, check) => {
      const { exitCode, said } = await runIn(check)
      expect(exitCode, said).not.toBe(0)
      expect(SAID[name], `no violation is planted for "${name}"`).toBeDefined()
      for (const sentence of SAID[name] ?? []) expect(said).toContain(sentence)
    },
  )

  test.each(ofTypes.map((check) => [check.name, check] as const))(
    'reads every file for "%s"',
    async (name, check) => {
      const { said } = await runIn(check, '--listFilesOnly')
      expect(said).toContain(`/${name.replace('types of ', '')}/src/planted-type.ts`)
    },
  )

  test('fails over a violation of each rule of the linter', async () => {
    const check = CHECKS.find(({ name }) => name === 'lint')
    if (check === undefined) throw new Error('no check is named "lint"')
    // The other files have nothing to say.
    const files = Object.keys(LINTED).map(lintedFile)
    const { exitCode, said } = await runIn(check, '--format=unix', ...files)
    expect(exitCode).not.toBe(0)
    const found = Object.keys(LINTED).filter((rule) =>
      said
        .split('\n')
        .some((line) => line.includes(lintedFile(rule)) && line.includes(`/${rule}]`)),
    )
    expect(found).toEqual(Object.keys(LINTED))
  })

  test('has a planted violation for every rule that .oxlintrc.json names', async () => {
    const { rules, overrides } = JSON.parse(
      await readFile(path.join(ROOT, '.oxlintrc.json'), 'utf8'),
    )
    const all = [rules, ...overrides.map((each: { rules: object }) => each.rules)]
    const named = all.flatMap((each) => Object.entries(each)).filter(([, level]) => level !== 'off')
    const wanted = named.map(([rule]) => {
      const [plugin, name] = rule.includes('/') ? rule.split('/') : ['eslint', rule]
      return `${plugin}(${name})`
    })
    expect(wanted.filter((rule) => !(rule in LINTED))).toEqual([])
  })
})
