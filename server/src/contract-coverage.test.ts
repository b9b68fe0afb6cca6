import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DETAIL_CODES, ERRORS } from '@interview-room/contract/errors.ts'
import * as limits from '@interview-room/contract/limits.ts'
import { OPERATIONS } from '@interview-room/contract/operations.ts'
import { WEBHOOK_DATA } from '@interview-room/contract/webhooks.ts'
import { describe, expect, test } from 'vitest'
import { readContractTags, tagsIn } from '../../scripts/contract-tags.ts'
import {
  ALL_OPERATIONS,
  CHAPTERS,
  coveragePage,
  SECTIONS_OF_RESOURCES,
} from '../../scripts/coverage-page.ts'

const ROOT = join(import.meta.dirname, '../..')
const API = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'))
const { tags: TAGS, problems: PROBLEMS } = readContractTags(ROOT)

const SECTIONS = Object.values(CHAPTERS).flat()

function rulesOf(...sections: readonly string[]): string {
  const reported = TAGS.filter((tag) => tag.sections.some((section) => sections.includes(section)))
  return reported.map(({ rule }) => rule).join('\n')
}

const missingOf = (words: readonly string[], text: string) =>
  words.filter((word) => !new RegExp(`(?<![A-Z_])${word}(?![A-Z_])`).test(text))
const missingNames = (names: Iterable<string>, text: string) =>
  [...new Set(names)].filter((name) => !text.includes(`\`${name}\``))

type Schema = Record<string, unknown>

/** Collects the names of a schema's members and of the schemas in it, at any depth. */
function collect(value: unknown, found: { members: Set<string>; schemas: Set<string> }): void {
  if (Array.isArray(value)) for (const each of value) collect(each, found)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const { $ref, properties = {}, examples: _e, example: _x, ...rest } = value as Schema
  if (typeof $ref === 'string') {
    const [part, name] = $ref.split('/').slice(2) as [string, string]
    if (part === 'schemas') found.schemas.add(name)
    return collect(API.components[part][name], found)
  }
  for (const [name, schema] of Object.entries(properties as Schema)) {
    found.members.add(name)
    collect(schema, found)
  }
  return collect(Object.values(rest), found)
}

interface DescribedOperation {
  parameters?: { in: string; name: string }[]
  requestBody?: unknown
  responses: Record<string, unknown>
}

/** The names of everything that an operation takes and answers. */
function namesOf(address: string) {
  const [method = '', path = ''] = address.split(' ')
  const described: DescribedOperation = API.paths[`/api/v1${path}`][method.toLowerCase()]
  const { parameters = [], requestBody, responses } = described
  const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name)
  const found = { members: new Set(query), schemas: new Set<string>() }
  collect(requestBody, found)
  collect(
    Object.entries(responses).filter(([status]) => status.startsWith('2')),
    found,
  )
  return found
}

const NAMED = Object.entries(OPERATIONS).map(([address, operation]) => ({
  address,
  operation,
  ...namesOf(address),
}))
type NamedOperation = (typeof NAMED)[number]

/** Sections where a member of an operation may be explained: those of its resources and of operations with its schemas. */
function sectionsBeside({ operation: { id, tag }, schemas }: NamedOperation): string[] {
  const resources = Object.entries(SECTIONS_OF_RESOURCES).filter(([resource]) =>
    [tag, ...schemas].some((name) => name.includes(resource)),
  )
  const related = NAMED.filter(
    (each) => each.operation.tag === tag && [...each.schemas].some((name) => schemas.has(name)),
  )
  return [
    id,
    ...related.map(({ operation }) => operation.id),
    ...resources.flatMap(([, sections]) => sections),
    ...ALL_OPERATIONS,
  ]
}

describe('the rules of the contract', () => {
  test('stand above the tests that prove them', () => {
    expect(PROBLEMS).toEqual([])
    expect(TAGS.flatMap(({ sections }) => sections).length).toBeGreaterThan(900)
  })

  test('belong to sections that there are, and no section is empty', () => {
    const reported = new Set(TAGS.flatMap(({ sections }) => sections))
    expect([...reported].filter((section) => !SECTIONS.includes(section))).toEqual([])
    expect(SECTIONS.filter((section) => !reported.has(section))).toEqual([])
  })

  test.each(NAMED.map((named) => [named.address, named] as const))(
    '%s: success, refusals and fields',
    (_address, named) => {
      const { id, refusals = [], isKeyed } = named.operation
      const rules = rulesOf(id)
      expect(rules, `a rule "// contract: ${id} › 20…" above a test`).toMatch(/^20[0-4]\b/m)
      const wanted = [...refusals, ...(isKeyed ? ['Idempotency-Key'] : [])]
      expect(missingOf(wanted, rules)).toEqual([])
      expect(missingNames(named.members, rulesOf(...sectionsBeside(named)))).toEqual([])
    },
  )

  test('have every error code', () => {
    expect(missingOf(Object.keys(ERRORS), rulesOf('Error codes'))).toEqual([])
  })

  test('have every code of a detail', () => {
    expect(missingNames(DETAIL_CODES, rulesOf('Detail codes'))).toEqual([])
  })

  test('have every limit', () => {
    expect(missingNames(Object.keys(limits), rulesOf(...SECTIONS))).toEqual([])
  })

  test('have every webhook and its data', () => {
    const { 'webhook.test': _ofOperators, ...reported } = WEBHOOK_DATA
    for (const [type, schema] of Object.entries(reported)) {
      const rules = rulesOf('Webhook types').split('\n')
      const rule = rules.find((each) => each.includes(` ${type}:`))
      expect([type, missingNames(Object.keys(schema.properties), rule ?? '')]).toEqual([type, []])
    }
  })

  test('make a page, each with its test', () => {
    const page = coveragePage(TAGS)
    const rows = page.split('\n').filter((line) => /^\| (?!Rule |---)/.test(line))
    expect(rows).toHaveLength(TAGS.flatMap(({ sections }) => sections).length)
    const addresses = Object.keys(OPERATIONS)
    // Compare addresses: a failure that printed the page itself would fill thousands of lines.
    expect(addresses.filter((address) => !page.includes(`\`${address}\``))).toEqual([])
  })
})

const read = (...lines: string[]) => tagsIn('a.test.ts', lines.join('\n'))
const tag = (text: string) => `// contract: ${text}`

describe('a rule above a test', () => {
  test('is read with its sections, its continuation and the title of the test', () => {
    const { tags, problems } = read(
      "describe('closing', () => {",
      tag('closeRoom, Limits › 200, and'),
      '//   nothing else',
      tag('closeRoom › 409 ROOM_CLOSED'),
      '// why it is so',
      "test.each([1])('of %s', () => {})",
      '})',
    )
    expect(problems).toEqual([])
    const where = { file: 'a.test.ts', line: 6, title: 'closing › of %s' }
    expect(tags).toEqual([
      { sections: ['closeRoom', 'Limits'], rule: '200, and nothing else', ...where },
      { sections: ['closeRoom'], rule: '409 ROOM_CLOSED', ...where },
    ])
  })

  test('may stand above a describe', () => {
    const { tags } = read(tag('Limits › all'), "describe('limits', () => {", '})')
    expect(tags).toMatchObject([{ title: 'limits' }])
  })

  test.each([
    ['a blank line', ['', "test('a', () => {})"]],
    ['a skipped test', ["test.skip('a', () => {})"]],
    ['another statement', ['const a = 1', "test('a', () => {})"]],
    ['the end of the file', []],
  ])('is refused above %s', (_what, below) => {
    expect(read(tag('Limits › all'), ...below)).toEqual({
      tags: [],
      problems: ['a.test.ts:1 stands above no test'],
    })
  })

  test('is refused without a section or a rule', () => {
    const { problems } = read(tag('Limits'), "test('a', () => {})")
    expect(problems).toEqual(['a.test.ts:1 is not "// contract: section › rule"'])
  })

  test.each(['//contract: Limits › all', '// Contract: Limits › all', '// contract › Limits'])(
    'is refused when it is spelt like this: %s',
    (line) => {
      const { tags, problems } = read(line, "test('a', () => {})")
      expect({ tags, problems }).toEqual({
        tags: [],
        problems: ['a.test.ts:1 is not "// contract: section › rule"'],
      })
    },
  )
})
