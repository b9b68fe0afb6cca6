import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { OPERATIONS } from '@interview-room/contract/operations.ts'
import { CHAPTERS } from './contract-chapters.ts'
import { type ContractTag, readContractTags } from './contract-tags.ts'

const PAGE = 'docs/contract-coverage.md'
const INTRODUCTION = `# Contract coverage

Every rule of the API contract, and the test that proves it. Written by \`npm run coverage-page\` from the
\`// contract:\` comments above the tests; \`%s\` and the like are the placeholders of a test over many values.
`

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
