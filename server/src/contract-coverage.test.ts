import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DETAIL_CODES, ERRORS } from '@interview-room/contract/errors.ts'
import * as limits from '@interview-room/contract/limits.ts'
import { OPERATIONS } from '@interview-room/contract/operations.ts'
import { WEBHOOK_DATA } from '@interview-room/contract/webhooks.ts'
import { describe, expect, test } from 'vitest'
import { testTitlesOf } from './testing/test-titles.ts'

const ROOT = join(import.meta.dirname, '../..')
const TEXT = readFileSync(join(ROOT, 'docs/contract-coverage.md'), 'utf8')
const API = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'))

interface Row {
  rule: string
  file: string
  title: string
}

const ROW =
  /^\| (?<rule>.+?) +\| `(?<file>[^`]+)` +\| (?<quotes>`+) ?(?<title>.+?) ?\k<quotes> +\|$/

function rowsOf(text: string): Row[] {
  return text.split('\n').flatMap((line) => {
    const { rule, file, title } = ROW.exec(line)?.groups ?? {}
    if (rule === undefined || file === undefined || title === undefined) return []
    return [{ rule, file, title }]
  })
}

const rulesOf = (text: string) =>
  rowsOf(text)
    .map(({ rule }) => rule)
    .join('\n')

const [COVERED = ''] = TEXT.split(/^## Still to come$/m)
const ROWS = rowsOf(COVERED)

/** What stands under a heading, until the next one of its level or above. */
function sectionOf(heading: string): string {
  const lines = COVERED.split('\n')
  const start = lines.findIndex((line) => /^#+ /.test(line) && titleOf(line) === heading)
  const level = lines[start]?.indexOf(' ') ?? 0
  const rest = start < 0 ? [] : lines.slice(start + 1)
  const end = rest.findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level)
  return rest.slice(0, end < 0 ? rest.length : end).join('\n')
}

const titleOf = (line: string) => line.replace(/^#+ /, '').replaceAll('`', '')

/** The rules of the resource that an operation belongs to. */
const rulesBeside = (operation: string) =>
  COVERED.split(/^## /m).find((part) => part.includes(`\n### \`${operation}\`\n`)) ?? ''

const missingOf = (words: readonly string[], text: string) =>
  words.filter((word) => !new RegExp(`(?<![A-Z_])${word}(?![A-Z_])`).test(text))
const missingNames = (names: Iterable<string>, text: string) =>
  [...new Set(names)].filter((name) => !text.includes(`\`${name}\``))

type Schema = Record<string, unknown>

/** The names of the members of a schema, however deep. */
function membersOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(membersOf)
  if (typeof value !== 'object' || value === null) return []
  const { $ref, properties, examples: _e, example: _x, ...rest } = value as Schema
  if (typeof $ref === 'string') {
    const [part, name] = $ref.split('/').slice(2) as [string, string]
    return membersOf(API.components[part][name])
  }
  const own = Object.entries((properties ?? {}) as Schema)
  return [
    ...own.flatMap(([name, schema]) => [name, ...membersOf(schema)]),
    ...membersOf(Object.values(rest)),
  ]
}

interface Described {
  parameters?: { in: string; name: string }[]
  requestBody?: unknown
  responses: Record<string, unknown>
}

/** What an operation takes and answers, by name. */
function namesOf(operation: string): string[] {
  const [method = '', path = ''] = operation.split(' ')
  const described: Described = API.paths[`/api/v1${path}`][method.toLowerCase()]
  const { parameters = [], requestBody, responses } = described
  const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name)
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return [...query, ...membersOf(requestBody), ...membersOf(answers)]
}

describe('the table of the contract', () => {
  test('has rows', () => {
    expect(ROWS.length).toBeGreaterThan(400)
    const lines = COVERED.split('\n').filter((line) => /^\| (?!Rule |-)/.test(line))
    expect(lines).toHaveLength(ROWS.length)
  })

  test('names tests that there are', () => {
    const files = new Set(ROWS.map(({ file }) => file))
    expect([...files].filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
    const titles = new Map([...files].map((file) => [file, testTitlesOf(join(ROOT, file))]))
    expect(ROWS.filter(({ file, title }) => titles.get(file)?.has(title) !== true)).toEqual([])
  })

  test.each(Object.keys(OPERATIONS))('%s: success, refusals and fields', (operation) => {
    const { refusals = [], isKeyed } = OPERATIONS[operation]!
    const rules = rulesOf(sectionOf(operation))
    expect(rules).toMatch(/^20[0-4]\b/m)
    const wanted = [...refusals, ...(isKeyed ? ['Idempotency-Key'] : [])]
    expect(missingOf(wanted, rules)).toEqual([])
    const known = rulesOf(rulesBeside(operation)) + rulesOf(sectionOf('All operations'))
    expect(missingNames(namesOf(operation), known)).toEqual([])
  })

  test('has every error code', () => {
    expect(missingOf(Object.keys(ERRORS), rulesOf(sectionOf('Error codes')))).toEqual([])
  })

  test('has every code of a detail', () => {
    expect(missingNames(DETAIL_CODES, rulesOf(sectionOf('Codes of details')))).toEqual([])
  })

  test('has every limit', () => {
    expect(missingNames(Object.keys(limits), rulesOf(COVERED))).toEqual([])
  })

  test('has every webhook and its data', () => {
    const { 'webhook.test': _ofOperators, ...told } = WEBHOOK_DATA
    for (const [type, schema] of Object.entries(told)) {
      const rule = rowsOf(sectionOf('Types')).find((row) => row.rule.includes(type))?.rule
      expect([type, missingNames(Object.keys(schema.properties), rule ?? '')]).toEqual([type, []])
    }
  })
})
