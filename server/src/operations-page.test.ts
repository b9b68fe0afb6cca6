import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readRepository } from '../../scripts/docs-rules.ts'
import { runAdmin } from './admin/run-admin.ts'
import { createMetrics } from './platform/metrics/metrics.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const OPERATIONS = readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8')
const RUNBOOK = readFileSync(path.join(ROOT, 'docs/runbook.md'), 'utf8')

const SOURCE = readSource('server/src/**/*.ts')
/** Sources without the doctor, whose own checks are not readiness checks. */
const SOURCE_OF_READINESS = readSource('server/src/{api,domain,platform}/**/*.ts')
const SOURCE_OF_RECORDER = readSource('media-server/src/**/*.ts')

function readSource(files: string): string {
  return globSync(files, { cwd: ROOT })
    .filter((file) => !/\.test\.ts$|\/(testing|doctor)\//.test(file))
    .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
    .join('\n')
}

/** The names in backticks in the first column of a section's table. */
function namesIn(page: string, heading: string): string[] {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? ''
  const cells = [...section.matchAll(/^\| (`[^|]*`) +\|/gm)].map(([, cell]) => cell ?? '')
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''))
}

describe('docs/operations.md and docs/runbook.md', () => {
  const checks = namesIn(OPERATIONS, 'Health checks')

  test('name the readiness checks that the service has', () => {
    const inSource = SOURCE_OF_READINESS.match(
      /(?<=')(?:database|media|storage|recorders|pages|secrets|livekit|worker|ffmpeg|clock|machine|configuration):[a-zA-Z]+(?='(?!\]))/g,
    )
    const wanted = [...new Set(inSource), 'process:starting', 'process:stopping']
    expect(checks.toSorted()).toEqual(wanted.toSorted())
  })

  test('say for each readiness check what to do', () => {
    const sections = [...RUNBOOK.matchAll(/^### ([a-z]+:[a-zA-Z]+)$/gm)].map(([, name]) => name)
    expect(sections).toEqual(checks)
  })

  test('say what to do after each ALARM log line', () => {
    const alarms = SOURCE.match(/(?<=')ALARM: [^']+(?=')/g) ?? []
    expect(alarms.length).toBeGreaterThan(5)
    expect(alarms.filter((alarm) => !RUNBOOK.includes(`\`${alarm}\``))).toEqual([])
  })

  test('list every metric', () => {
    const { registry } = createMetrics()
    const names = registry.getMetricsAsArray().map(({ name }) => name)
    const listed = namesIn(OPERATIONS, 'Metrics').map((name) => `interview_room_${name}`)
    expect(listed.toSorted()).toEqual(names.toSorted())
  })

  test('quote log messages that the service or its recorder writes', () => {
    const spans = `${OPERATIONS}\n${RUNBOOK}`.replaceAll(/^```[\s\S]*?^```/gm, '').match(/`[^`]+`/g)
    const commands = /^(?:webhooks|operators|sessions|npm run)\b/
    const quoted = (spans ?? [])
      .map((span) => span.slice(1, -1).replaceAll('\n', ' '))
      .filter((span) => /^(?:ALARM: )?[a-z]+ [a-z ,:']+\??$/.test(span) && !commands.test(span))
    expect(quoted.length).toBeGreaterThan(10)
    const source = SOURCE + SOURCE_OF_RECORDER
    expect(quoted.filter((message) => !source.includes(message))).toEqual([])
  })
})

test('the pages name only commands of `npm run admin` that exist', async () => {
  const { stdout } = await runAdmin(['--help'], () => {
    throw new Error('help needs no database')
  })
  const known = new Set(
    [...stdout.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?)/gm)].map(([, name]) => name),
  )
  const { pages } = readRepository(ROOT)
  const named = [...pages].flatMap(([page, text]) =>
    [...text.matchAll(/npm run admin -- ([a-z-]+(?: [a-z][a-z-]*)?)/g)].map(
      ([, command]) => `${page}: ${command}`,
    ),
  )
  expect(named.length).toBeGreaterThan(20)
  const nouns = new Set([...known].map((name) => name?.split(' ')[0]))
  const isKnown = (entry: string) => {
    const command = entry.slice(entry.indexOf(': ') + 2)
    return command === '--help' || known.has(command) || nouns.has(command)
  }
  expect(named.filter((entry) => !isKnown(entry))).toEqual([])
})
