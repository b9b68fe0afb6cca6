import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  ALLOWED_NAMES,
  glossaryProblems,
  type Kind,
  parseGlossary,
  readJudgedSources,
  wordsOf,
} from '../../scripts/glossary-rules.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const PAGE = readFileSync(path.join(ROOT, 'docs/glossary.md'), 'utf8')
const GLOSSARY = parseGlossary(PAGE)
const SOURCES = readJudgedSources(ROOT)

const problemsOf = (source: (typeof SOURCES)[number]): string[] =>
  glossaryProblems(source, GLOSSARY)

test('the page that `npm run coverage-page` writes is not judged', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'glossary-'))
  await mkdir(path.join(root, 'docs'))
  for (const page of ['contract-coverage.md', 'api.md']) {
    await writeFile(path.join(root, 'docs', page), '# Page\n')
  }
  const judged = readJudgedSources(root).map(({ file }) => file)
  await rm(root, { recursive: true })
  expect(judged).toEqual(['docs/api.md'])
})

describe('the project', () => {
  const codes = SOURCES.filter(({ kind }) => kind === 'code')
  const comments = SOURCES.filter(({ kind }) => kind === 'comments')
  const texts = SOURCES.filter(({ kind }) => !['code', 'comments'].includes(kind))

  test('uses no banned word in a name', () => {
    expect(codes.length).toBeGreaterThan(1_000)
    expect(codes.flatMap(problemsOf)).toEqual([])
  })

  test('uses no banned phrase in a comment or in the name of a test', () => {
    expect(comments.length).toBeGreaterThan(1_000)
    expect(comments.flatMap(problemsOf)).toEqual([])
  })

  test.each(texts)('uses no banned phrase in $file', (source) => {
    expect(problemsOf(source)).toEqual([])
  })

  test.each([...ALLOWED_NAMES.keys()])('still uses the allowed name %s', (name) => {
    expect(codes.some(({ text }) => text.includes(name))).toBe(true)
  })
})

describe('the glossary', () => {
  const terms = PAGE.split('\n').filter((line) => /^\| (?!Term|-)/.test(line))

  test('has four cells in each row, with a term and a sentence', () => {
    expect(terms.length).toBeGreaterThan(60)
    for (const row of terms) {
      const [term, meaning, ...lists] = row.split('|').slice(1, -1)
      expect([term?.trim(), meaning?.trim()], row).not.toContain('')
      expect(meaning?.trim(), row).toMatch(/\.$/)
      expect(lists, row).toHaveLength(2)
    }
  })

  test('has each term and each banned word once', () => {
    const names = terms.map((row) => row.split('|')[1]?.trim())
    const banned = [...GLOSSARY.phrases, ...GLOSSARY.names.map((words) => `${words} as a name`)]
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    expect(banned.filter((each, at) => banned.indexOf(each) !== at)).toEqual([])
  })
})

describe('the check of the glossary', () => {
  const SMALL = parseGlossary(`
| Term | Meaning | Not in text | Not in names |
| --- | --- | --- | --- |
| connection quality | How well media arrives. | poor line, for ever | \`poorLine\`, told |
| window | The time in which a room is open. | | |
| 回答者 | The panelist. | 被験者 | |
`)
  const problems = (kind: Kind, text: string, file = 'server/src/room.ts') =>
    glossaryProblems({ file, kind, text }, SMALL)

  test.each([
    ['a variable', 'const poorLine = 1', 'poorLine'],
    [
      'a part of a name',
      'export function findPoorLines() {}\nconst isPoorLineKnown = 1',
      'isPoorLineKnown',
    ],
    ['a constant', 'const POOR_LINE_MS = 1', 'POOR_LINE_MS'],
    ['a type', 'interface ToldFact {}', 'ToldFact'],
    ['a property', 'call({ told: 1 })', 'told'],
    ['a private member', 'class A { #told = 1 }', 'told'],
    ['an expression within a template', 'const a = `x ${told} y`', 'told'],
  ])('finds a banned word in %s', (_what, code, name) => {
    expect(problems('code', code)).toEqual([expect.stringContaining(`the name ${name} has`)])
  })

  test.each(['interface Making {', 'export type Asked = string', 'type Measured<T> = T[]'])(
    'finds a participle as a type: %s',
    (code) => {
      expect(problems('code', code)).toEqual([expect.stringContaining('is no noun')])
    },
  )

  test.each(['interface Recording {', 'type WatchedRoom = Room', 'const making = 1'])(
    'passes over a noun: %s',
    (code) => {
      expect(problems('code', code)).toEqual([])
    },
  )

  test.each(['server/src/poor-line.ts', 'server/src/told/room.ts', 'web/src/poor-line.module.css'])(
    'finds a banned word in the file name %s',
    (file) => {
      expect(problems('code', '', file)).toHaveLength(1)
    },
  )

  test.each([
    ['a comment', '// a poorLine is told\n/* told */'],
    ['a string', `call('told', "poor-line", \`told\`)`],
    ['a longer word', 'const spoorLines = 1\nconst retold = 2'],
    ['an allowed name', 'const POOR_LINE = 1'],
  ])('passes over %s', (_what, code) => {
    expect(problems('code', code)).toEqual([])
  })

  test.each([
    ['a line comment', '// It stays for ever.'],
    ['a comment of two lines', '  // A poor\n  // line waits.'],
    ['a docstring', '/**\n * A page with a poor\n * line waits.\n */'],
    ['a comment behind code', 'const a = 1 // for ever'],
    ['the name of a test', "test('stays for ever', () => {})"],
    ['the name of a test with a value', 'test(`stays ${n} for ever`, () => {})'],
    ['the name of a case', "test.each([['a poor line', 1]])('%s', () => {})"],
  ])('finds a banned phrase in %s', (_what, code) => {
    expect(problems('comments', code, 'server/src/room.test.ts')).toHaveLength(1)
  })

  test.each([
    ['code of a comment', '// See `for ever`.', 'room.test.ts'],
    ['a value in the name of a test', 'test(`stays ${poor line}`, () => {})', 'room.test.ts'],
    ['a text outside of tests', "const a = 'a poor line'", 'room.ts'],
  ])('passes over %s', (_what, code, file) => {
    expect(problems('comments', code, file)).toEqual([])
  })

  test.each([
    ['a document', 'document', 'A page with a Poor\nline waits.'],
    ['an API text', 'api text', '{"paths":{"/a":{"get":{"summary":"It stays for ever"}}}}'],
    ['an API title', 'api text', '{"a":[{"title":"Poor line"}]}'],
    ['a page text', 'page text', "export const en = { a: 'This stays for ever', b: `x` }"],
    ['the help of a command', 'command text', "const a = { summary: 'Ends a poor line.' }"],
    ['a Japanese page text', 'page text', "export const ja = { a: 'この被験者は参加中です' }"],
    [
      'a page text with a value',
      'page text',
      'export const en = { a: (n) => `${n} has a poor line` }',
    ],
  ] as const)('finds a banned phrase in %s', (_what, kind, text) => {
    expect(problems(kind, text)).toHaveLength(1)
  })

  test.each([
    ['code of a document', 'document', 'Ask `poor line`.\n\n```\nfor ever\n```\n[x](poor line)'],
    ['a wire name of the API', 'api text', '{"properties":{"poor line":{"type":"string"}}}'],
    ['a comment of a page', 'page text', '// for ever\nexport const en = {}'],
    ['a longer word', 'document', 'Poor lines wait for everybody.'],
  ] as const)('passes over %s', (_what, kind, text) => {
    expect(problems(kind, text)).toEqual([])
  })

  test.each([
    ['findHeldRoom', ['find', 'held', 'room']],
    ['held-room', ['held', 'room']],
    ['HELD_ROOM', ['held', 'room']],
    ['parseURLOf', ['parse', 'url', 'of']],
  ])('reads %s as words', (name, words) => {
    expect(wordsOf(name)).toEqual(words)
  })
})
