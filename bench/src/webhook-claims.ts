import { parseArgs } from 'node:util'
import { type Db, inTransaction, openDb } from '@interview-room/server/src/platform/db/db.ts'
import { migrate } from '@interview-room/server/src/platform/db/migrate.ts'
import { createTenant } from '@interview-room/server/src/platform/tenants/create-tenant.ts'
import { claimDeliveries } from '@interview-room/server/src/platform/webhooks/delivery-store.ts'
import {
  PARALLEL_MAX,
  insertEndpoint,
} from '@interview-room/server/src/platform/webhooks/endpoint-store.ts'
import { startDatabase } from './database.ts'
import { machine } from './machine.ts'
import { quantile, round } from './statistics.ts'

const CLAIMED = 32
const STATEMENT_TIMEOUT_MS = 300_000

/** Measures how the cost of claiming due webhooks grows with the length of the queue, as a ratio to a short queue. */
export async function measureWebhookClaims(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pending: { type: 'string', default: '1000,10000,100000' },
      rounds: { type: 'string', default: '200' },
    },
  })
  const sizes = values.pending.split(',').map(Number)
  const rounds = Number(values.rounds)
  const database = await startDatabase({ isDurable: false })
  const db = openDb({
    url: database.url,
    poolSize: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'bench-webhooks',
  })
  try {
    await migrate({ url: database.url })
    const rows = []
    for (const pending of sizes) {
      await fill(db, pending)
      const timesMs = []
      for (let n = 0; n < rounds; n += 1) timesMs.push(await timeClaim(db))
      rows.push({ pending, p50: quantile(timesMs, 0.5), p99: quantile(timesMs, 0.99) })
    }
    report(rows, { claimed: CLAIMED, rounds })
  } finally {
    await db.end()
    await database.stop()
  }
}

/** Adds `pending` events of different resources. Half belong to one tenant, and half have an event before them. */
async function fill(db: Db, pending: number): Promise<void> {
  await db`truncate webhook_events, webhook_endpoints cascade`
  for (const share of [
    pending / 2,
    pending / 20,
    ...Array.from({ length: 9 }, () => pending / 20),
  ]) {
    const { id: tenantId } = await createTenant(db, { name: 'Bench' })
    const endpointId = tenantId
    await inTransaction(db, (tx) =>
      insertEndpoint(tx, { id: endpointId, tenantId, url: 'http://127.0.0.1:9/' }),
    )
    await db`
      with event as (
        insert into webhook_events (id, tenant_id, type, occurred_at, stream_key, dedupe_key, body)
        select ${tenantId} || n, ${tenantId}, 'webhook.test', now(), 'stream' || n / 2, 'n' || n, '{}'
          from generate_series(1, ${Math.round(share)}::int) n
        returning id, stream_key, dedupe_key
      )
      insert into webhook_deliveries (event_id, endpoint_id, stream_key, due_at)
      select id, ${endpointId}, stream_key,
             case when substr(dedupe_key, 2)::int % 2 = 0 then now() end
        from event
    `
  }
  await db`update webhook_endpoints set parallel = ${PARALLEL_MAX}`
  await db`analyze webhook_deliveries, webhook_events`
}

/** Claims and rolls back. */
async function timeClaim(db: Db): Promise<number> {
  const back = new Error('taken back')
  let tookMs = 0
  const taking = inTransaction(db, async (tx) => {
    const fromMs = performance.now()
    const claimed = await claimDeliveries(tx, { limit: CLAIMED, slowLimit: CLAIMED })
    tookMs = performance.now() - fromMs
    if (claimed.length !== CLAIMED) throw new Error(`${claimed.length} were claimed`)
    throw back
  })
  await taking.catch((error: unknown) => {
    if (error !== back) throw error
  })
  return tookMs
}

type Row = Record<'pending' | 'p50' | 'p99', number>

function report(rows: readonly Row[], conditions: Record<string, number>): void {
  const [floor] = rows
  const shown = rows.map(({ pending, p50, p99 }) => ({
    pending,
    p50Ms: round(p50),
    p99Ms: round(p99),
    p50ToShort: round(p50 / (floor?.p50 ?? p50)),
    p99ToShort: round(p99 / (floor?.p99 ?? p99)),
  }))
  console.table(shown)
  console.log(
    JSON.stringify({ bench: 'webhook-claims', machine: machine(), conditions, rows: shown }),
  )
}
