import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { createReadiness } from '../api/operations/health.ts'
import { createApp } from '../app.ts'
import { createScrape } from '../domain/monitoring/scrape.ts'
import { inTransaction, openDb } from '../platform/db/db.ts'
import { createMetrics, type Metrics } from '../platform/metrics/metrics.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { startDeliveryWorker } from '../platform/webhooks/delivery-worker.ts'
import { readAlertRules, RULES_FILE } from '../testing/alert-rules.ts'
import { useControlPlane } from '../testing/control-plane.ts'
import { buildGoTool, HAS_GO, runTool } from '../testing/go-tools.ts'
import { postNotification } from '../testing/provider-notification.ts'
import { addLackingSegment, addRecording } from '../testing/recordings.ts'
import { IS_FULL_RUN } from '../testing/scope.ts'
import { booking, createTenantClient } from '../testing/tenant-client.ts'
import { waitFor } from '../testing/wait-for.ts'
import { useWebhookTenant } from '../testing/webhook-tenant.ts'

/** Prometheus 3.5 as a Go module. */
const PROMTOOL = { program: 'github.com/prometheus/prometheus/cmd/promtool', version: 'v0.305.0' }
const BUILD_MS = 45 * 60_000
const METRICS_FILE = path.resolve(import.meta.dirname, '../platform/metrics/metrics.ts')
const KIND = 'reconcile-attendance'
const HEALTHY_MIN = 10
const BROKEN_MIN = 90

const plane = useControlPlane()
const hooks = useWebhookTenant()
const RULES = readAlertRules()

/** A service that is broken in one way, with the page that is scraped from it. */
interface WatchedService {
  metrics: Metrics
  deps: Deps
  scrape(): Promise<string>
}

function watch(deps: Deps): WatchedService {
  const metrics = createMetrics({ includesNode: true })
  const own = { ...deps, metrics }
  const { db } = deps
  const scrape = createScrape({ metrics, db, pools: { main: db }, repeatingKinds: [KIND] })
  return { metrics, deps: own, scrape: async () => (await scrape()).text }
}

interface Breakage {
  /** Uses the service of a tenant with webhooks. */
  hasHooks?: boolean
  /** Returns the page that is scraped while it is broken. Without one, the watched service's own page is used. */
  break(watched: WatchedService): Promise<string | void>
}

const sql = (text: TemplateStringsArray, ...values: never[]) => plane.database.db(text, ...values)
const hookSql = (text: TemplateStringsArray, ...values: never[]) =>
  hooks.database.db(text, ...values)

async function deliver({ deps }: WatchedService, isDone: () => Promise<boolean>): Promise<void> {
  const worker = startDeliveryWorker(deps)
  await waitFor(isDone)
  await worker.stop()
}

const valueOf = async (metric: { get(): Promise<{ values: { value: number }[] }> }) =>
  (await metric.get()).values.reduce((sum, { value }) => sum + value, 0)

/** Breakages by the name of the alert that they cause. */
const BREAKAGES: Record<string, Breakage> = {
  InterviewRoomAbsent: { break: async () => '' },
  InterviewRoomCheckFails: {
    async break({ deps }) {
      await createReadiness({ ...deps, config: { ...deps.config, pagesDir: '/nowhere' } })()
    },
  },
  InterviewRoomCheckWarns: {
    async break({ deps }) {
      plane.media.isDown = true
      await createReadiness(deps)()
      plane.media.isDown = false
    },
  },
  InterviewRoomRecordingUndelivered: {
    async break({ deps }) {
      const health = { problems: [], undeliveredSec: 40, deliveries: [] }
      const recorder = createServer((_request, response) => response.end(JSON.stringify(health)))
      await once(recorder.listen(0, '127.0.0.1'), 'listening')
      const { port } = recorder.address() as AddressInfo
      const livekit = { ...deps.config.livekit, egressUrls: [`http://127.0.0.1:${port}`] }
      await createReadiness({ ...deps, config: { ...deps.config, livekit } })()
      recorder.closeAllConnections()
      recorder.close()
    },
  },
  InterviewRoomErrors: {
    async break({ deps }) {
      const app = await createApp(deps)
      const tenant = await createTenantClient(app, plane.database.db)
      plane.media.isDown = true
      const { status } = await tenant.post('/rooms', booking({ now: plane.now }))
      plane.media.isDown = false
      expect(status).toBe(502)
      await app.close()
    },
  },
  InterviewRoomReconcilerLate: {
    async break() {
      await sql`
      update jobs set succeeded_at = clock_timestamp() - interval '5 minutes' where kind = ${KIND as never}
    `
    },
  },
  InterviewRoomJobsLate: {
    async break() {
      await sql`
      insert into jobs (kind, key, state, due_at)
      values ('late', 'a', 'due', clock_timestamp() - interval '5 minutes')
    `
    },
  },
  InterviewRoomJobsDiscarded: {
    async break() {
      await sql`
      insert into jobs (kind, key, state, due_at)
      values ('given-up', 'a', 'discarded', clock_timestamp())
    `
    },
  },
  InterviewRoomWebhooksLate: {
    hasHooks: true,
    async break() {
      await hooks.record('a')
      await hookSql`update webhook_deliveries set due_at = due_at - interval '5 minutes'`
    },
  },
  InterviewRoomWebhookGivenUp: {
    hasHooks: true,
    async break(watched) {
      hooks.refused.add('hopeless')
      await hooks.record('hopeless')
      await hookSql`update webhook_deliveries set attempt = 11`
      await deliver(watched, async () => (await valueOf(watched.metrics.deliveriesFailed)) === 1)
    },
  },
  InterviewRoomWebhookEndpointFails: {
    hasHooks: true,
    async break(watched) {
      hooks.answer = { status: 500 }
      await hookSql`
        update webhook_endpoints
           set consecutive_failures = 4, failed_events = 1, failed_event_id = 'evt_before'
      `
      await hooks.record('a')
      await deliver(watched, async () => (await valueOf(watched.metrics.breakersOpened)) === 1)
    },
  },
  InterviewRoomNotificationsRefused: {
    async break({ deps }) {
      const app = await createApp(deps)
      await postNotification(app, JSON.stringify({ id: randomUUID(), event: 'x' }), 'nonsense')
      await app.close()
    },
  },
  InterviewRoomTrackNotRecorded: {
    async break(watched) {
      const id = await addLackingSegment(plane, (await plane.book()).id)
      const page = await watched.scrape()
      await sql`delete from recording_segments where id = ${id as never}`
      return page
    },
  },
  InterviewRoomRecordingFailed: {
    async break() {
      await addRecording(plane, (await plane.book()).id, { status: 'failed' })
      await sql`update recordings set updated_at = clock_timestamp()`
    },
  },
  InterviewRoomStorageDiffers: {
    async break() {
      await sql`
        insert into storage_differences (kind, storage_key, found_at, is_held)
        values ('unnamed', 'newer', clock_timestamp(), true)
      `
    },
  },
  InterviewRoomConnectionsExhausted: {
    async break({ metrics, deps }) {
      const { url } = plane.database
      const narrow = openDb({ url, poolSize: 1, acquireTimeoutMs: 50_000, applicationName: 'x' })
      const released = Promise.withResolvers<void>()
      const held = inTransaction(narrow, async (tx) => {
        await tx`select 1`
        await released.promise
      })
      await waitFor(() => narrow.stats().inUse === 1)
      const waiting = (async () => narrow`select 1`)()
      await waitFor(() => narrow.stats().waiting === 1)
      const pools = { main: narrow }
      const scrape = createScrape({ metrics, db: deps.db, pools, repeatingKinds: [KIND] })
      const { text } = await scrape()
      released.resolve()
      await Promise.all([held, waiting])
      await narrow.end()
      return text
    },
  },
  InterviewRoomEventLoopSlow: {
    async break(watched) {
      for (let turn = 0; turn < 3; turn += 1) {
        const endMs = performance.now() + 700
        while (performance.now() < endMs);
        await nextTurn()
      }
      return watched.scrape()
    },
  },
  InterviewRoomFilesExhausted: { break: pageNearFileLimit },
  InterviewRoomScrapeIncomplete: {
    async break({ metrics }) {
      const away = openDb({ url: 'postgres://x@127.0.0.1:1/x', poolSize: 1, applicationName: 'x' })
      const { text } = await createScrape({ metrics, db: away, pools: {}, repeatingKinds: [] })()
      await away.end()
      return text
    },
  },
}

/** The metrics page of a process that may open 128 files, and has opened most of them. */
async function pageNearFileLimit(): Promise<string> {
  const script = `
    import { openSync } from 'node:fs'
    import { createMetrics } from ${JSON.stringify(METRICS_FILE)}
    for (let opened = 0; opened < 100; opened += 1) openSync('/dev/null')
    process.stdout.write(await createMetrics({ includesNode: true }).registry.metrics())
  `
  const limited = 'ulimit -n 128 && exec "$0" --input-type=module --eval "$1"'
  const { exitCode, output } = await runTool('sh', ['-c', limited, process.execPath, script])
  expect(exitCode).toBe(0)
  return output
}

/** The series that alerts read, with their values. */
function seriesIn(page: string): Map<string, string> {
  const samples = page.matchAll(
    /^((?:interview_room_|nodejs_eventloop_|process_\w+_fds)\S*(?:\{.*\})?) (\S+)$/gm,
  )
  return new Map([...samples].map(([, series = '', value = '']) => [series, value]))
}

/** A value as promtool reads it; `_` is an absent one. */
function textOf(value: string | undefined): string {
  return value === undefined ? '_' : value.replace('Nan', 'NaN')
}

/** Minutes of a healthy service, then minutes of a broken one, as promtool reads them. */
function inputOf(healthy: string, broken: string) {
  const [before, after] = [seriesIn(healthy), seriesIn(broken)]
  const all = new Set([...before.keys(), ...after.keys()])
  return [...all].map((series) => ({
    series,
    values: [
      ...Array.from({ length: HEALTHY_MIN }, () => textOf(before.get(series))),
      // Prometheus ends a series in this way when a scrape no longer has it.
      after.has(series) ? textOf(after.get(series)) : 'stale',
      ...Array.from({ length: BROKEN_MIN }, () => textOf(after.get(series))),
    ].join(' '),
  }))
}

async function healthyPage(watched: WatchedService): Promise<string> {
  await createReadiness(watched.deps)()
  // The lag at the start does not count for a service that has been running.
  await watched.scrape()
  return watched.scrape()
}

let folder: string
let promtool: string

describe.runIf(IS_FULL_RUN)('the alert rules', () => {
  beforeAll(async () => {
    if (!HAS_GO) return
    folder = await mkdtemp(path.join(tmpdir(), 'interview-room-alerts-'))
    promtool = await buildGoTool(PROMTOOL.program, PROMTOOL.version)
  }, BUILD_MS)
  afterAll(async () => {
    if (HAS_GO) await rm(folder, { recursive: true, force: true })
  })

  test('each have a way in which this test breaks the service', () => {
    expect(Object.keys(BREAKAGES).toSorted()).toEqual(RULES.map(({ alert }) => alert).toSorted())
  })

  test.skipIf(!HAS_GO)('are valid to promtool (skipped without Go)', async () => {
    const { exitCode, output } = await runTool(promtool, ['check', 'rules', RULES_FILE])
    expect([exitCode, output]).toEqual([0, expect.stringContaining('SUCCESS')])
  })

  test.skipIf(!HAS_GO).each(RULES.map((rule) => [rule.alert, rule] as const))(
    '%s fires for a service that is broken in that way, and not before (skipped without Go)',
    async (alert, rule) => {
      plane.now = new Date()
      await sql`delete from jobs`
      await sql`delete from recordings`
      await sql`delete from storage_differences`
      await sql`
        insert into jobs (kind, key, state, due_at, succeeded_at)
        values (${KIND as never}, 'all', 'due', clock_timestamp() + interval '1 hour', clock_timestamp())
      `
      const breakage = BREAKAGES[alert]
      const watched = watch(breakage?.hasHooks === true ? hooks.deps : plane.deps)
      const healthy = await healthyPage(watched)
      const broken = (await breakage?.break(watched)) ?? (await watched.scrape())

      const forMin = Number(/^(\d+)m$/.exec(rule.for ?? '0m')?.[1] ?? 60)
      const firing = `count(ALERTS{alertname="${alert}", alertstate="firing"}) or vector(0)`
      const file = path.join(folder, `${alert}.yaml`)
      const spec = {
        rule_files: [RULES_FILE],
        evaluation_interval: '1m',
        tests: [
          {
            interval: '1m',
            input_series: inputOf(healthy, broken),
            promql_expr_test: [
              {
                expr: 'count(ALERTS) or vector(0)',
                eval_time: `${HEALTHY_MIN - 1}m`,
                exp_samples: [{ labels: '{}', value: 0 }],
              },
              {
                expr: `(${firing}) > bool 0`,
                eval_time: `${HEALTHY_MIN + forMin + 1}m`,
                exp_samples: [{ labels: '{}', value: 1 }],
              },
            ],
          },
        ],
      }
      await writeFile(file, stringify(spec, { lineWidth: 0 }))
      const { exitCode, output } = await runTool(promtool, ['test', 'rules', file])
      expect([exitCode, output]).toEqual([0, expect.stringContaining('SUCCESS')])
    },
  )
})
