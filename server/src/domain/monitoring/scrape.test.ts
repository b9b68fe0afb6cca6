import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { liveness } from '../../api/operations/health.ts'
import { startOperationsServer } from '../../api/operations/operations-server.ts'
import { createApp } from '../../app.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { inTransaction, openDb } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Job } from '../../platform/jobs/job.ts'
import { startWorker } from '../../platform/jobs/worker.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { createTestDeps, TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { openReader, useLiveRooms } from '../../testing/live-room.ts'
import { parseMetrics } from '../../testing/parse-metrics.ts'
import { postNotification, signNotification } from '../../testing/provider-notification.ts'
import { addLackingSegment, addRecording } from '../../testing/recordings.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { createScrape, type Scrape } from './scrape.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
let scrape: Scrape

beforeAll(() => {
  const { db } = plane.database
  scrape = createScrape({
    metrics: plane.deps.metrics,
    db,
    pools: { main: db, crowded: { stats: () => ({ size: 8, inUse: 3, waiting: 2 }) } },
    repeatingKinds: ['reconcile-attendance'],
  })
})

const read = async () => parseMetrics((await scrape()).text)
const query = (text: TemplateStringsArray, ...values: never[]) => plane.database.db(text, ...values)

const openStreams = async () => (await read()).value('live_streams', { kind: 'room' })
const connections = async (pool: string, state: string) =>
  (await read()).value('database_connections', { pool, state })

describe('the page of metrics', () => {
  test('counts requests by route template and status, and contains no id', async () => {
    const { id } = await plane.book()
    await plane.tenant.get(`/rooms/${id}`)
    await plane.tenant.get(`/rooms/${randomUUID()}`)
    await plane.tenant.get('/nothing/here')
    const page = await read()
    const route = '/api/v1/rooms/:room_id'
    const requests = 'http_request_duration_seconds_count'
    expect(page.value(requests, { method: 'GET', route, status: '200' })).toBe(1)
    expect(page.value(requests, { method: 'GET', route, status: '404' })).toBe(1)
    expect(page.value(requests, { route: 'none', status: '404' })).toBe(1)
    expect(page.text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|Test tenant/)
  })

  test('reports due jobs, their age, and abandoned ones', async () => {
    await query`
      insert into jobs (kind, key, state, due_at, lease_until, lease_token) values
        ('late', 'a', 'due', clock_timestamp() - interval '5 minutes', null, null),
        ('late', 'b', 'due', clock_timestamp() - interval '1 minute', null, null),
        ('late', 'c', 'due', clock_timestamp() + interval '1 minute', null, null),
        ('late', 'd', 'due', clock_timestamp() - interval '1 hour',
         clock_timestamp() + interval '1 minute', gen_random_uuid()),
        ('given-up', 'a', 'discarded', clock_timestamp(), null, null)
    `
    await query`update jobs set deaths = 2 where kind = 'late' and key = 'c'`
    const page = await read()
    expect(page.value('jobs_due', { kind: 'late' })).toBe(2)
    expect(page.value('jobs_running', { kind: 'late' })).toBe(1)
    const ageSec = page.value('jobs_oldest_due_age_seconds', { kind: 'late' })
    expect(ageSec).toBeGreaterThanOrEqual(300)
    expect(ageSec).toBeLessThan(3600)
    expect(page.value('jobs_isolated', { kind: 'late' })).toBe(1)
    expect(page.value('jobs_discarded', { kind: 'given-up' })).toBe(1)

    await query`delete from jobs`
    expect((await read()).value('jobs_due', { kind: 'late' })).toBeUndefined()
  })

  test('reports the outcome of job runs, and the age of the last successful reconciliation', async () => {
    let outcome: 'again' | 'fail' = 'again'
    await enqueue(plane.database.db, { kind: 'reconcile-attendance', key: 'all' })
    await enqueue(plane.database.db, { kind: 'hopeless', key: 'x' })
    const jobs: Job[] = [
      {
        kind: 'reconcile-attendance',
        async run() {
          if (outcome === 'fail') throw new Error('down')
          outcome = 'fail'
          return { outcome: 'again', at: new Date() }
        },
      },
      { kind: 'hopeless', run: async () => ({ outcome: 'discard', reason: 'no hope' }) },
    ]
    const worker = startWorker({
      db: plane.database.db,
      queues: [{ jobs, concurrency: 2 }],
      leaseSec: 30,
      log: plane.deps.log,
      runs: plane.deps.metrics.jobRuns,
    })
    const runs = async (kind: string, ended: string) =>
      (await read()).value('job_runs_total', { kind, outcome: ended })
    await waitFor(async () => ((await runs('reconcile-attendance', 'failed')) ?? 0) > 0)
    await waitFor(async () => (await runs('hopeless', 'discarded')) === 1)
    await worker.stop()
    expect(await runs('reconcile-attendance', 'again')).toBe(1)

    await query`
      update jobs set succeeded_at = succeeded_at - interval '10 minutes', created_at = created_at - interval '1 day'
       where kind = 'reconcile-attendance'
    `
    const ageSec = (await read()).value('repeating_job_age_seconds', {
      kind: 'reconcile-attendance',
    })
    expect(ageSec).toBeGreaterThanOrEqual(600)
    expect(ageSec).toBeLessThan(3600)
    await query`delete from jobs`
  })

  test('reports unfinished and failed recordings', async () => {
    for (const status of ['started', 'stopped', 'available', 'failed'] as const) {
      await addRecording(plane, (await plane.book()).id, { status })
    }
    await query`update recordings set updated_at = clock_timestamp() where status = 'failed'`
    const page = await read()
    expect(page.value('recordings', { status: 'started' })).toBe(1)
    expect(page.value('recordings', { status: 'stopped' })).toBe(1)
    expect(page.value('recordings', { status: 'paused' })).toBe(0)
    expect(page.value('recordings', { status: 'available' })).toBeUndefined()
    expect(page.value('recordings_failed_last_day')).toBe(1)
  })

  test('reports tracks that do not arrive in running recordings, while their recorders say so', async () => {
    const id = await addLackingSegment(plane, (await plane.book()).id)
    expect((await read()).value('recording_tracks_without_media')).toBe(1)
    const db = plane.database.db
    await db`
      update recording_segments
         set absences = jsonb_set(absences, '{0,toMs}', to_jsonb((absences #>> '{0,fromMs}')::float8 - 5000))
       where id = ${id}
    `
    expect((await read()).value('recording_tracks_without_media')).toBe(0)
    await db`delete from recording_segments where id = ${id}`
  })

  test('does not count a recording as failed that a moderator stopped before it began', async () => {
    const id = await addRecording(plane, (await plane.book()).id, { status: 'failed' })
    await plane.database.db`update recordings set updated_at = clock_timestamp() where id = ${id}`
    const before = (await read()).value('recordings_failed_last_day')
    await plane.database.db`update recordings set provider_archive_id = null where id = ${id}`
    const after = (await read()).value('recordings_failed_last_day')
    expect(after).toBe(Number(before) - 1)
  })

  test('counts the streams that are open on this replica', async () => {
    const { roomId } = await live.acting.addRoom()
    const guest = await live.enter(roomId, 'panelist')
    const reader = await openReader(`${live.origin}/api/v1/rooms/${roomId}/live/stream`, {
      authorization: `Bearer ${guest.ticket}`,
    })
    await waitFor(async () => (await openStreams()) === 1)
    reader.close()
    await waitFor(async () => (await openStreams()) === 0)
  })

  test('counts notifications of LiveKit that were accepted and refused', async () => {
    const body = JSON.stringify({ id: randomUUID(), event: 'other' })
    await postNotification(plane.app, body, await signNotification(plane.deps, body))
    await postNotification(plane.app, body, 'nonsense')
    const page = await read()
    expect(page.value('livekit_notifications_total', { result: 'accepted' })).toBe(1)
    expect(page.value('livekit_notifications_total', { result: 'refused' })).toBe(1)
  })

  test('reports used connections and waiting callers of each pool', async () => {
    expect(await connections('crowded', 'allowed')).toBe(8)
    expect(await connections('crowded', 'in_use')).toBe(3)
    expect(await connections('crowded', 'waiting')).toBe(2)

    let finish: (() => void) | undefined
    const held = inTransaction(plane.database.db, async (tx) => {
      await tx`select 1`
      await new Promise<void>((resolve) => (finish = resolve))
    })
    await waitFor(async () => (await connections('main', 'in_use')) === 1)
    finish?.()
    await held
    await waitFor(async () => (await connections('main', 'in_use')) === 0)
  })

  test("without the database has the process's own counters, and names the missing sections", async () => {
    const metrics = createMetrics({ includesNode: true })
    metrics.notifications.inc({ result: 'accepted' })
    const db = openDb({ url: 'postgres://x@127.0.0.1:1/x', poolSize: 1, applicationName: 'tests' })
    const away = createScrape({ metrics, db, pools: {}, repeatingKinds: [] })
    const page = parseMetrics((await away()).text)
    expect(page.value('livekit_notifications_total', { result: 'accepted' })).toBe(1)
    for (const section of ['jobs', 'repeating_jobs', 'deliveries', 'endpoints', 'recordings']) {
      expect(page.value('scrape_success', { section })).toBe(0)
    }
    expect(page.value('webhook_deliveries_pending')).toBeUndefined()
    expect(page.names).toContain('nodejs_eventloop_lag_p99_seconds')
    expect(page.names).toContain('process_resident_memory_bytes')
    expect((await read()).value('scrape_success', { section: 'jobs' })).toBe(1)
  })

  test('reads no history, because waiting and failed rows have indexes of their own', async () => {
    const plans = await inTransaction(plane.database.db, async (tx) => {
      await tx`set local enable_seqscan = off`
      return Promise.all([
        tx`explain select kind from jobs where state = 'discarded' limit 10`,
        tx`explain select created_at from webhook_deliveries where state = 'pending' order by id limit 10`,
        tx`explain select count(*) from recordings where status in ('started', 'paused', 'stopped', 'uploaded')`,
        tx`explain select count(*) from recordings where status = 'failed' and updated_at > now()`,
        tx`explain select kind from jobs where deaths >= 2 and state = 'due' limit 10`,
      ])
    })
    const texts = plans.map((plan) => JSON.stringify(plan))
    expect(texts[0]).toContain('jobs_discarded')
    expect(texts[1]).toContain('webhook_deliveries_pending')
    expect(texts[2]).toContain('recordings_')
    expect(texts[3]).toContain('recordings_failed')
    expect(texts[4]).toContain('jobs_isolated')
    expect(texts.join()).not.toContain('Seq Scan')
  })
})

/** Calls the operations port. */
async function callOperations(metricsToken: string | undefined, init: RequestInit) {
  const server = await startOperationsServer({
    host: '127.0.0.1',
    port: 0,
    readiness: async () => ({ ...liveness(), status: 'pass' }),
    scrape: async () => ({ contentType: 'text/plain', text: 'x 1\n' }),
    metricsToken,
  })
  const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`, init)
  await answer.text()
  await server.close()
  return answer
}

async function askOperations(metricsToken: string | undefined, authorization?: string) {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
  return (await callOperations(metricsToken, { headers })).status
}

/** The status that the API port answers with these settings. */
async function askApi(env: Record<string, string>, headers: Record<string, string> = {}) {
  const config = loadConfig({ ...TEST_ENVIRONMENT, ...env })
  const deps = createTestDeps({ db: plane.database.db, config })
  const app = await createApp(deps, { scrape })
  const { statusCode } = await app.inject({ url: '/metrics', headers })
  await app.close()
  return statusCode
}

describe('access to the metrics', () => {
  const TOKEN = 'a-token-of-the-operators'
  test('is given to every caller of the operations port, or only to the holder of the token if one is set', async () => {
    expect(await askOperations(undefined)).toBe(200)
    expect(await askOperations(TOKEN)).toBe(401)
    expect(await askOperations(TOKEN, 'Bearer another')).toBe(401)
    expect(await askOperations(TOKEN, `Bearer ${TOKEN}`)).toBe(200)
  })

  test('is read-only: another method is 405 with the allowed ones', async () => {
    const { status, headers } = await callOperations(undefined, { method: 'POST' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('does not exist on the API port without a token', async () => {
    expect(await askApi({})).toBe(404)
    expect(await askApi({ METRICS_TOKEN: TOKEN })).toBe(401)
    expect(await askApi({ METRICS_TOKEN: TOKEN }, { authorization: `Bearer ${TOKEN}` })).toBe(200)
    expect(() => loadConfig({ ...TEST_ENVIRONMENT, METRICS_TOKEN: 'short' })).toThrow(
      'METRICS_TOKEN must have at least 16 characters',
    )
  })
})
