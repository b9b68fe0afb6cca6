import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { IS_FULL_RUN } from '../../testing/scope.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { useWebhookTenant } from '../../testing/webhook-tenant.ts'
import { inTransaction } from '../db/db.ts'
import { startWorker, type Worker } from '../jobs/worker.ts'
import { removeWebhooks } from './manage-webhooks.ts'
import { replayWebhooksJob } from './replay-webhooks.job.ts'
import { cancelReplay, continueReplay, replayOf, startReplay } from './replay-webhooks.ts'

const tenant = useWebhookTenant()
/** The long run has as many as a tenant sends in a month. */
const LARGE = IS_FULL_RUN ? { events: 20_000, streams: 500 } : { events: 600, streams: 40 }

let worker: Worker | undefined
afterEach(async () => {
  await worker?.stop()
  await tenant.database.db`truncate webhook_events cascade`
})
// They are no webhooks of the contract.
afterAll(() => tenant.database.db`truncate webhook_events cascade`)

function startJobs(): void {
  const queues = [{ jobs: [replayWebhooksJob(tenant.deps)], concurrency: 2, areInTurns: true }]
  const { db, log } = tenant.deps
  worker = startWorker({ db, queues, leaseSec: 30, log })
}

/** Records events that nothing was sent of, turn by turn of their streams. */
async function fill({ events, streams }: { events: number; streams: number }): Promise<void> {
  const { db } = tenant.database
  await db`
    insert into webhook_events (id, tenant_id, type, occurred_at, stream_key, dedupe_key, body)
    select 'evt_' || gen_random_uuid(), ${tenant.tenantId}, 'room.closed', now(),
           'stream ' || n % ${streams}, n,
           jsonb_build_object('data', jsonb_build_object('message', n % ${streams} || ' ' || n))
      from generate_series(1, ${events}) n
  `
  await db`analyze webhook_events`
}

async function start(type?: string) {
  const period = { ...tenant.wanted({ type }), since: new Date(0) }
  return startReplay(tenant.deps, period, await tenant.endpoint())
}

const keyOf = ({ id }: { id: string }) => ({ tenantId: tenant.tenantId, id })

async function countWaiting(): Promise<number> {
  const [row] = await tenant.database.db<{ count: number }[]>`
    select count(*)::int as count from webhook_deliveries where state = 'pending'
  `
  return row?.count ?? 0
}

/** Lets the receiver accept this many of what waits. */
async function accept(count: number): Promise<void> {
  await tenant.database.db`
    update webhook_deliveries set state = 'succeeded', finished_at = now()
     where id in (select id from webhook_deliveries where state = 'pending' order by id limit ${count})
  `
}

describe('a replay of many events', () => {
  test('sends each of them once, in order within each resource', async () => {
    await fill(LARGE)
    const started = await start()
    expect(started).toMatchObject({ state: 'running', events: LARGE.events, queued: 250 })
    const startMs = performance.now()
    tenant.startWorkers()
    startJobs()
    let most = 0
    await waitFor(async () => {
      most = Math.max(most, await countWaiting())
      return tenant.received.length >= LARGE.events
    }, 2_400_000)
    const tookSec = Math.round((performance.now() - startMs) / 1000)
    process.stdout.write(`${LARGE.events} events in ${LARGE.streams} streams: ${tookSec} s\n`)
    expect(most).toBeLessThanOrEqual(500)
    expect(await replayOf(tenant.deps, keyOf(started))).toMatchObject({
      state: 'done',
      queued: LARGE.events,
    })
    const numbers = tenant.messages().map((message) => message.split(' ').map(Number))
    const last = new Map<number, number>()
    for (const [stream = 0, number = 0] of numbers) {
      expect(number).toBeGreaterThan(last.get(stream) ?? 0)
      last.set(stream, number)
    }
    expect(numbers).toHaveLength(LARGE.events)
  }, 2_500_000)

  test('leaves room for new events: it adds no more while enough wait', async () => {
    await fill({ events: 1_000, streams: 20 })
    const { id } = await start()
    expect(await continueReplay(tenant.deps, id)).toBe('waiting')
    await accept(1)
    expect(await continueReplay(tenant.deps, id)).toBe('added')
    expect(await countWaiting()).toBe(499)
  })

  test('writes for each page only that page, however much waits', async () => {
    await fill({ events: 1_000, streams: 20 })
    const { id } = await start()
    await accept(10)
    const { db } = tenant.database
    const before = await db<{ id: bigint; version: string }[]>`
      select id, xmin::text as version from webhook_deliveries where state = 'pending'
    `
    await continueReplay(tenant.deps, id)
    const after = await db<{ id: bigint; version: string }[]>`
      select id, xmin::text as version from webhook_deliveries where state = 'pending'
    `
    const versions = new Map(after.map((row) => [row.id, row.version]))
    const written = before.filter((row) => versions.get(row.id) !== row.version)
    expect(before).toHaveLength(240)
    // The first ones of the resources whose predecessor was accepted.
    expect(written.length).toBeLessThanOrEqual(20)
  })

  test('rests while the endpoint gets nothing', async () => {
    await fill({ events: 1_000, streams: 20 })
    await tenant.database.db`update webhook_endpoints set state = 'paused'`
    const { id } = await start()
    expect(await continueReplay(tenant.deps, id)).toBe('resting')
  })

  test('ends when it is cancelled, or when its endpoint is removed', async () => {
    await fill({ events: 1_000, streams: 20 })
    const [cancelled, removed] = [await start(), await start()]
    expect(await cancelReplay(tenant.deps, keyOf(cancelled))).toMatchObject({ state: 'cancelled' })
    expect(await continueReplay(tenant.deps, cancelled.id)).toBe('ended')
    await removeWebhooks(tenant.deps, await tenant.endpoint())
    expect(await continueReplay(tenant.deps, removed.id)).toBe('ended')
    expect(await replayOf(tenant.deps, keyOf(removed))).toMatchObject({ state: 'cancelled' })
  })

  test('leaves out what happened after it was ordered', async () => {
    await fill({ events: 300, streams: 20 })
    const { id } = await start()
    await inTransaction(tenant.database.db, (tx) => tenant.recordIn(tx, 'new', 'new'))
    await accept(250)
    expect(await continueReplay(tenant.deps, id)).toBe('ended')
    expect(await replayOf(tenant.deps, keyOf({ id }))).toMatchObject({ events: 300, queued: 300 })
  })
})
