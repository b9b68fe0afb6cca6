import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readRepository } from '../../../scripts/docs-rules.ts'
import { createScrape } from '../domain/monitoring/scrape.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { readAlertRules, selectorsIn } from '../testing/alert-rules.ts'
import { createTestDatabase } from '../testing/database.ts'
import { createTestDeps } from '../testing/deps.ts'
import { parseMetrics } from '../testing/parse-metrics.ts'
import { repeatingKinds } from '../worker.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const RULES = readAlertRules()

interface Panel {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; refId: string }[]
}
const DASHBOARD = JSON.parse(
  readFileSync(path.join(ROOT, 'deploy/grafana/interview-room.json'), 'utf8'),
) as { uid: string; panels: Panel[] }

/** Metric -> its labels, as a process that serves exposes them. */
const exposed = new Map<string, readonly string[]>()
let kinds: readonly string[] = []

beforeAll(async () => {
  const database = await createTestDatabase()
  const metrics = createMetrics({ includesNode: true })
  const deps = createTestDeps({ db: database.db, metrics })
  kinds = repeatingKinds(deps)
  const { db } = database
  const scrape = createScrape({ metrics, db, pools: { main: db }, repeatingKinds: kinds })
  const { names } = parseMetrics((await scrape()).text)
  const labels = new Map(
    metrics.registry.getMetricsAsArray().map((metric) => {
      const { name, labelNames = [] } = metric as { name: string; labelNames?: string[] }
      return [name, labelNames]
    }),
  )
  for (const name of names) exposed.set(name, labels.get(name) ?? [])
  await database.drop()
})

/** Added by Prometheus to every series. */
const TARGET_LABELS = ['job', 'instance']

function unknownIn(expr: string): string[] {
  return selectorsIn(expr).flatMap(({ metric, labels }) => {
    const known = exposed.get(metric)
    if (known === undefined) return [metric]
    return labels
      .filter((label) => !known.includes(label) && !TARGET_LABELS.includes(label))
      .map((label) => `${metric}{${label}}`)
  })
}

describe('the alert rules in deploy/prometheus', () => {
  test('name only metrics and labels that the service exposes', () => {
    expect(RULES.length).toBeGreaterThan(10)
    expect(RULES.flatMap(({ expr }) => unknownIn(expr))).toEqual([])
    expect(RULES.filter(({ expr }) => selectorsIn(expr).length === 0)).toEqual([])
    expect(unknownIn('interview_room_gone > 0 or interview_room_jobs_due{state="x"}')).toEqual([
      'interview_room_gone',
      'interview_room_jobs_due{state}',
    ])
  })

  test('name only repeating jobs that exist', () => {
    const named = RULES.flatMap(({ expr }) => [...expr.matchAll(/age_seconds\{kind="([^"]+)"/g)])
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter(([, kind = '']) => !kinds.includes(kind))).toEqual([])
  })

  test('have a name of their own, a severity, a summary and a section of the runbook', () => {
    const names = RULES.map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
    for (const { alert, labels, annotations } of RULES) {
      expect(alert).toMatch(/^InterviewRoom[A-Z][A-Za-z]+$/)
      expect(['critical', 'warning']).toContain(labels['severity'])
      expect(annotations['summary']).toMatch(/^\S.{10,120}\.$/)
      expect(annotations['runbook_url']).toMatch(/^docs\/runbook\.md#[a-z0-9-]+$/)
    }
  })

  test('lead to sections of the runbook that exist', () => {
    const runbook = readRepository(ROOT).pages.get('docs/runbook.md') ?? ''
    const anchors = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    )
    const named = RULES.map(({ annotations }) => annotations['runbook_url']?.split('#')[1] ?? '')
    expect(named.filter((anchor) => !anchors.includes(anchor))).toEqual([])
  })

  test('are listed in docs/operations.md', () => {
    const page = readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8')
    const listed = [...page.matchAll(/^\| `(InterviewRoom[A-Za-z]+)`/gm)].map(([, name]) => name)
    expect(new Set(listed)).toEqual(new Set(RULES.map(({ alert }) => alert)))
  })
})

describe('the dashboard in deploy/grafana', () => {
  test('shows only metrics and labels that the service exposes', () => {
    const exprs = DASHBOARD.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    expect(exprs.length).toBeGreaterThan(20)
    expect(exprs.flatMap((expr) => unknownIn(expr))).toEqual([])
  })

  test('shows every metric of the service', () => {
    const shown = new Set(
      DASHBOARD.panels.flatMap(({ targets = [] }) =>
        targets.flatMap(({ expr }) => selectorsIn(expr).map(({ metric }) => metric)),
      ),
    )
    const own = [...exposed.keys()].filter((name) => name.startsWith('interview_room_'))
    expect(own.filter((name) => !shown.has(name))).toEqual([])
  })

  test('has panels with ids of their own that do not overlap', () => {
    const { panels } = DASHBOARD
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })
})
