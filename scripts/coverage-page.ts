import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { OPERATIONS } from '@interview-room/contract/operations.ts'
import { TAGS } from '@interview-room/contract/operations/tags.ts'
import { type ContractTag, readContractTags } from './contract-tags.ts'

const PAGE = 'docs/contract-coverage.md'
const INTRODUCTION = `# Contract coverage

Every rule of the API contract, and the test that proves it. Written by \`npm run coverage-page\` from the
\`// contract:\` comments above the tests; \`%s\` and the like are the placeholders of a test over many values.
`

/** Rules that hold for every operation. */
export const ALL_OPERATIONS: readonly string[] = [
  'Form of answers',
  'Bodies and queries',
  'Pagination',
  'Idempotency',
  'API key',
  'Tenant isolation',
]

/** Sections with the rules of a resource, by its name. */
export const SECTIONS_OF_RESOURCES: Readonly<Record<string, readonly string[]>> = {
  Session: ['Fields of a Session', 'States of a Session'],
  Room: ['Fields of a Room', 'States of a Room'],
  Participant: ['Fields of a Participant', 'States of a Participant'],
  EntryHistory: ['Fields of an EntryHistory'],
  ChatMessage: ['Fields of a ChatMessage'],
  RoomEvent: ['Fields of a RoomEvent'],
  Recording: ['Fields of a Recording', 'States of a Recording', 'How a Recording runs'],
  ProcessedRecording: ['Fields of a ProcessedRecording', 'States of a ProcessedRecording'],
  Transcription: ['Fields of a Transcription', 'States of a Transcription'],
  Handout: ['Fields of a Handout'],
  ConnectionTest: ['Fields of a ConnectionTest', 'States of a ConnectionTest'],
}

/** The rules of the contract, chapter by chapter: sections by name, operations by their id. */
export const CHAPTERS: Readonly<Record<string, readonly string[]>> = {
  'All operations': ALL_OPERATIONS,
  Resources: Object.values(SECTIONS_OF_RESOURCES).flat(),
  ...Object.fromEntries(Object.keys(TAGS).map((tag) => [tag, operationsOf(tag)])),
  Credentials: ['Scopes of an API key', 'Participant token', 'Board link'],
  'Sandbox tenants': ['Sandbox tenants'],
  Webhooks: ['Webhook envelope and signature', 'Webhook types'],
  'Notifications of the media provider': ['Notifications of the media provider'],
  Limits: ['Limits'],
  'Error codes': ['Error codes', 'Detail codes'],
}

function operationsOf(tag: string): string[] {
  return Object.values(OPERATIONS).flatMap((each) => (each.tag === tag ? [each.id] : []))
}

const ADDRESS_OF_ID = new Map(
  Object.entries(OPERATIONS).map(([address, { id }]) => [id, `\`${address}\` (${id})`]),
)

export function coveragePage(tags: readonly ContractTag[]): string {
  const chapters = Object.entries(CHAPTERS).map(([chapter, sections]) =>
    [`## ${chapter}`, ...sections.map((section) => sectionOf(section, tags))].join('\n\n'),
  )
  return [INTRODUCTION, ...chapters].join('\n')
}

function sectionOf(section: string, tags: readonly ContractTag[]): string {
  const rows = tags
    .filter(({ sections }) => sections.includes(section))
    .map(({ rule, file, line, title }) => {
      const test = `[${inCell(title)}](../${file}#L${line})`
      return `| ${inCell(rule)} | ${test} |`
    })
  const heading = `### ${ADDRESS_OF_ID.get(section) ?? section}`
  return [heading, '', '| Rule | Test |', '| --- | --- |', ...rows, ''].join('\n')
}

const inCell = (text: string) => text.replaceAll(/[|[\]<>]/g, String.raw`\$&`)

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..')
  const { tags } = readContractTags(root)
  writeFileSync(path.join(root, PAGE), coveragePage(tags))
  console.log(`${PAGE}: ${tags.length} rules`)
}
