import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createScrape } from '../../domain/monitoring/scrape.ts'
import { parseMetrics } from '../../testing/parse-metrics.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { useWebhookTenant } from '../../testing/webhook-tenant.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import { type DeliveryWorker, startDeliveryWorker } from './delivery-worker.ts'

const tenant = useWebhookTenant()

let metrics: Metrics
let logged: string
let worker: DeliveryWorker | undefined

beforeEach(() => {
  metrics = createMetrics()
  logged = ''
})
afterEach(async () => {
  await worker?.stop()
  worker = undefined
})

function start(): void {
  const log = pino({ level: 'warn' }, { write: (line) => (logged += line) })
  worker = startDeliveryWorker({ ...tenant.deps, log, metrics })
}

async function read() {
  const { db } = tenant.database
  const scrape = createScrape({ metrics, db, pools: {}, repeatingKinds: [] })
  return parseMetrics((await scrape()).text)
}

const counted = async (name: string, labels?: Record<string, string>) =>
  (await read()).value(name, labels) ?? 0

describe('the metrics of webhooks', () => {
  test('count attempts by outcome', async () => {
    tenant.refused.add('refused')
    await tenant.record('taken', 'a')
    await tenant.record('refused', 'b')
    start()
    await waitFor(
      async () => (await counted('webhook_attempts_total', { outcome: 'refused' })) === 1,
    )
    await waitFor(
      async () => (await counted('webhook_attempts_total', { outcome: 'accepted' })) === 1,
    )
    expect(logged).toBe('')
  })

  test('count a breaker that opens, as the log does', async () => {
    tenant.answer = { status: 500 }
    await tenant.database.db`
      update webhook_endpoints
         set consecutive_failures = 4, failed_events = 1, failed_event_id = 'evt_before'
    `
    await tenant.record('a')
    expect(await counted('webhook_breakers', { state: 'closed' })).toBe(1)
    start()
    await waitFor(async () => (await counted('webhook_breakers_opened_total')) === 1)
    expect(logged).toContain('"msg":"webhook endpoint failing"')
    const page = await read()
    expect(page.value('webhook_breakers', { state: 'open' })).toBe(1)
    expect(page.value('webhook_breakers', { state: 'closed' })).toBe(0)
    expect(page.value('webhook_attempts_total', { outcome: 'failed' })).toBe(1)
  })

  test('count a gone endpoint, as the log does', async () => {
    tenant.answer = { status: 410 }
    await tenant.record('a')
    start()
    await waitFor(async () => (await counted('webhook_endpoints_gone_total')) === 1)
    expect(logged).toContain('"msg":"webhook endpoint is gone"')
    const page = await read()
    expect(page.value('webhook_endpoints', { state: 'gone' })).toBe(1)
    expect(page.value('webhook_endpoints', { state: 'active' })).toBe(0)
  })

  test('count a delivery that was given up, as the log does', async () => {
    tenant.refused.add('hopeless')
    await tenant.record('hopeless')
    await tenant.database.db`update webhook_deliveries set attempt = 11`
    start()
    await waitFor(async () => (await counted('webhook_deliveries_failed_total')) === 1)
    expect(logged).toContain('"msg":"webhook given up"')
    expect(await counted('webhook_deliveries_pending')).toBe(0)
  })

  test('report waiting deliveries, their age, and late ones of a working endpoint', async () => {
    await tenant.record('a', 'a')
    await tenant.record('b', 'b')
    await tenant.database.db`
      update webhook_deliveries
         set created_at = created_at - interval '1 hour', due_at = due_at - interval '5 minutes'
       where id = (select min(id) from webhook_deliveries)
    `
    const page = await read()
    expect(page.value('webhook_deliveries_pending')).toBe(2)
    expect(page.value('webhook_deliveries_oldest_age_seconds')).toBeGreaterThanOrEqual(3600)
    const overdueSec = page.value('webhook_deliveries_overdue_seconds') ?? 0
    expect(overdueSec).toBeGreaterThanOrEqual(300)
    expect(overdueSec).toBeLessThan(3600)

    await tenant.database.db`
      update webhook_endpoints set next_probe_at = clock_timestamp() + interval '1 minute'
    `
    expect((await read()).value('webhook_deliveries_overdue_seconds')).toBe(0)
  })
})
