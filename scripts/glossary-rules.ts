import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The banned synonyms of the glossary, over names in code, file names, comments, names of tests, documents,
 * texts of the API and texts of the pages. The tables of `docs/glossary.md` are the only list.
 */

export interface Glossary {
  /** Phrases that no text uses, in lower case. */
  phrases: readonly string[]
  /** Words that follow each other in no name: `held room` bans `findHeldRoom`. */
  names: readonly string[]
  anyPhrase: RegExp
  anyName: RegExp
}

export type Kind = 'code' | 'comments' | 'document' | 'api text' | 'page text' | 'command text'

export interface Source {
  file: string
  kind: Kind
  text: string
}

/** Names that keep a banned word, each with its reason. */
export const ALLOWED_NAMES = new Map([
  ['POOR_LINE', 'the code of an alarm in the API'],
  ['line_bad_since', 'a column'],
])

const COLUMNS = 4
const BLOCK_COMMENT = String.raw`\/\*[\s\S]*?\*\/`
const STRING = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"`
const TEMPLATE = '`(?:[^`\\\\]|\\\\.)*`'
const NAME = String.raw`[A-Za-z_$][\w$]*`
const TOKENS = new RegExp(
  String.raw`${BLOCK_COMMENT}|\/\/[^\n]*|${STRING}|${TEMPLATE}|${NAME}`,
  'g',
)
const LITERALS = new RegExp(
  String.raw`${BLOCK_COMMENT}|(?<=^|\s)\/\/[^\n]*|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|${'`((?:[^`\\\\]|\\\\.)*)`'}`,
  'gm',
)
/** Signs that begin and continue a comment. */
const COMMENT_SIGNS = /(?:^|\n)[ \t]*(?:\/\/|\/?\*+)|\*\/$/g
/** A text of several words: the name of a test, or of one of its cases. */
const SENTENCE = /^['"`][^]* [^]*['"`]$/
const TEST_FILE = /\.test\.tsx?$/
/** A type named by a participle alone. */
const PARTICIPLE =
  /^ *(?:export )?(?:interface|type) (Told|Asked|Kept|Held|Missing|[A-Z][a-z]*(?:ing|ed))(?=[ <])/gm
const NOUNS = new Set('Booking Encoding Ending Listing Paging Reading Recording Setting'.split(' '))
const FENCED = /^```[\s\S]*?^```/gm
const INLINE_CODE = /`[^`]*`|\]\([^)]*\)|<[^>]*>/g

/** The tables of the page: term, meaning, phrases and names to avoid; more than one are separated by commas. */
export function parseGlossary(page: string): Glossary {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').slice(1, -1))
    .filter((cells) => cells.length === COLUMNS && !/^ *(?:-+|Term) *$/.test(cells[0] ?? ''))
  const listed = (column: number) =>
    rows
      .flatMap((cells) => (cells[column] ?? '').split(','))
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
  const phrases = listed(2).map((entry) => entry.toLowerCase())
  const names = listed(3).map((entry) => wordsOf(entry).join(' '))
  return { phrases, names, anyPhrase: anyOf(phrases), anyName: anyOf(names) }
}

/** Matches these as whole words: letters, spaces, apostrophes and hyphens alone. */
function anyOf(entries: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![\w-])(?:${entries.join('|')})(?![\w-])`, 'g')
}

/** `findHeldRoom`, `find-held-room` and `FIND_HELD_ROOM` -> find, held, room. */
export function wordsOf(name: string): string[] {
  const spaced = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
  return spaced
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

/** What is wrong with a file, one sentence each. */
export function glossaryProblems(source: Source, glossary: Glossary): string[] {
  const { file, kind, text } = source
  if (kind !== 'code') {
    const plain = textOf(source).toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ')
    return foundIn(plain, glossary.anyPhrase).map((banned) => `${file}: the text has "${banned}"`)
  }
  const names = new Set([...namesIn(text), ...stemsOf(file)])
  const participles = [...text.matchAll(PARTICIPLE)].flatMap(([, name = '']) =>
    NOUNS.has(name) ? [] : [`${file}: the type ${name} is no noun`],
  )
  const banned = [...names]
    .filter((name) => !ALLOWED_NAMES.has(name))
    .flatMap((name) =>
      foundIn(wordsOf(name).join(' '), glossary.anyName).map(
        (found) => `${file}: the name ${name} has "${found}"`,
      ),
    )
  return [...banned, ...participles]
}

/** What a pattern finds in a text, each once. */
function foundIn(text: string, pattern: RegExp): string[] {
  return [...new Set(text.match(pattern))]
}

/** The names of a source file, without those in strings and comments. */
function namesIn(text: string): string[] {
  const tokens = text.match(TOKENS) ?? []
  return tokens.flatMap((token) => {
    if (token.startsWith('`')) return (token.match(/\$\{[^}`]*\}/g) ?? []).flatMap(namesIn)
    return /^[A-Za-z_$]/.test(token) ? [token] : []
  })
}

/** The words of a path, each segment as one name. */
function stemsOf(file: string): string[] {
  return file.split('/').map((segment) => segment.replace(/\..*$/, ''))
}

function textOf({ kind, text, file }: Source): string {
  if (kind === 'comments') return remarksIn(text, TEST_FILE.test(file))
  if (kind === 'document') return text.replaceAll(FENCED, '').replaceAll(INLINE_CODE, '')
  if (kind === 'api text')
    return describedIn(JSON.parse(text)).join('\n').replaceAll(INLINE_CODE, '')
  const literals = [...text.matchAll(LITERALS)]
  return literals
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .join('\n')
}

/** The comments of a source file, without code in them; of a test also its names, without the values in them. */
function remarksIn(text: string, isTest: boolean): string {
  const tokens = text.match(TOKENS) ?? []
  const comments = tokens.filter((token) => token.startsWith('/'))
  const names = isTest ? tokens.filter((token) => SENTENCE.test(token)) : []
  return [
    ...comments.map((each) => each.replaceAll(COMMENT_SIGNS, ' ').replaceAll(/`[^`]*`/g, ' ')),
    ...names.map((each) => each.replaceAll(/\$\{[^}]*\}/g, ' ')),
  ].join('\n')
}

/** Titles, summaries and descriptions of an API description, at any depth. */
function describedIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    typeof each === 'string' && /^(?:title|summary|description)$/.test(key)
      ? [each]
      : describedIn(each),
  )
}

const CODE = [
  '{contract,sdk,server,web,e2e,bench}/src/**/*.{ts,tsx}',
  '{composer,media-server}/{src,test}/**/*.ts',
  'scripts/*.{ts,mjs}',
]
const STYLES = 'web/src/**/*.css'
const NAMED_ALONE = [STYLES, 'docs/pictures/*', 'server/migrations/*.sql']
const DOCUMENTS = ['*.md', 'docs/**/*.md', '{bench,media-server}/README.md']
/** What they print, and the help of their options. */
const COMMANDS = [
  'server/src/{admin,doctor,backup}/*.ts',
  'sdk/src/{cli,cli-error,listen,trigger}.ts',
]
/** The test of these rules plants banned words. */
const SHOWS_BANNED_WORDS = new Set(['server/src/glossary.test.ts', 'scripts/glossary-rules.ts'])
/** The glossary has the list; the changelog uses names as they were; a command writes the last one, which is not checked in. */
const NOT_JUDGED = new Set(['docs/glossary.md', 'CHANGELOG.md', 'docs/contract-coverage.md'])

export function readJudgedSources(root: string): Source[] {
  const read = (patterns: readonly string[], kind: Kind): Source[] =>
    globSync(patterns, { cwd: root })
      .filter((file) => !NOT_JUDGED.has(file))
      .map((file) => ({ file, kind, text: readFileSync(path.join(root, file), 'utf8') }))
  return [
    ...read(CODE, 'code'),
    ...read([...CODE, STYLES], 'comments').filter(({ file }) => !SHOWS_BANNED_WORDS.has(file)),
    ...globSync(NAMED_ALONE, { cwd: root }).map((file) => ({
      file,
      kind: 'code' as const,
      text: '',
    })),
    ...read(DOCUMENTS, 'document'),
    ...read(['docs/openapi.json'], 'api text'),
    ...read(['web/src/i18n/{*-,}{en,ja}.ts'], 'page text'),
    ...read(COMMANDS, 'command text').filter(({ file }) => !TEST_FILE.test(file)),
  ]
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..')
  const glossary = parseGlossary(readFileSync(path.join(root, 'docs/glossary.md'), 'utf8'))
  const problems = readJudgedSources(root).flatMap((source) => glossaryProblems(source, glossary))
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}
