import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcileRoomsJob } from './domain/room-end/reconcile-rooms.job.ts'
import { type Db, type DbOptions, openDb } from './platform/db/db.ts'
import { claimJobs } from './platform/jobs/claim-store.ts'
import type { Job } from './platform/jobs/job.ts'
import { claimDeliveries } from './platform/webhooks/delivery-store.ts'
import { useControlPlane } from './testing/control-plane.ts'
import { TEST_TIMEOUTS } from './testing/database.ts'
import { fillTables } from './testing/filled-tables.ts'
import { explain, type Sent } from './testing/recorded-statements.ts'
import { repeatingJobs } from './worker.ts'

/** Rows in each table. With this many, a sequential scan costs more than any index. */
const ROWS = 8_000

const plane = useControlPlane()
let history: string[] = []
/** These tables hold only active rows, so a statement may read them completely. */
let partialIndexes: string[] = []
/** One connection, so that what it did is counted when it ends. */
const openOne = (onStatement?: DbOptions['onStatement']) =>
  openDb({
    url: plane.database.url,
    poolSize: 1,
    applicationName: 'tests',
    ...TEST_TIMEOUTS,
    ...(onStatement && { onStatement }),
  })

beforeAll(async () => {
  plane.now = new Date()
  const db = openOne()
  try {
    const { tenantId } = plane.tenant
    history = await fillTables(db, { tenantId, count: ROWS, age: '1 hour' })
    const indexes = await db<{ name: string }[]>`
      select indexrelid::regclass::text as name from pg_index where indpred is not null
    `
    partialIndexes = indexes.map(({ name }) => name)
    // Some of it is old enough for the sweeps.
    await fillTables(db, { tenantId: plane.other.tenantId, count: 50, age: '3 years' })
    // Its own reads must not count as the first job's: its process may end later.
    await db`select pg_stat_force_next_flush()`
  } finally {
    await db.end()
  }
})
// They are no webhooks of the contract.
afterAll(() => plane.database.db`truncate webhook_events cascade`)

async function scansOf(): Promise<Map<string, number>> {
  const rows = await plane.database.db<{ name: string; scans: number }[]>`
    select relname as name, seq_scan::int as scans
      from pg_stat_user_tables
     where relname = any(${history})
  `
  return new Map(rows.map(({ name, scans }) => [name, scans]))
}

/** Whole reads of a history, by plan and by count: checks of foreign keys are in no plan. */
async function scansIn(work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const before = await scansOf()
  const sent: Sent[] = []
  const db = openOne(({ text, values = [] }) => sent.push({ text, values }))
  try {
    await work(db)
    const statements = sent.filter(({ text }) =>
      /^\s*(select|insert|update|delete|with)\b/.test(text),
    )
    if (statements.length === 0) return ['nothing was asked']
    const found: string[] = []
    for (const statement of statements) found.push(...(await fullReadsOf(db, statement)))
    await db`select pg_stat_force_next_flush()`
    const after = await scansOf()
    const counted = history.filter((table) => after.get(table) !== before.get(table))
    return [...found, ...counted.map((table) => `${table}: read as a whole`)]
  } finally {
    await db.end()
  }
}

async function fullReadsOf(db: Db, statement: Sent): Promise<string[]> {
  const nodes = await explain(db, statement)
  // A volatile function is no condition of an index, which is then walked to its end.
  const whole = nodes.filter(
    ({ type, index, hasCondition }) =>
      type === 'Seq Scan' ||
      (/^Index (Only )?Scan$/.test(type) && !hasCondition && !partialIndexes.includes(index)),
  )
  const text = statement.text.replaceAll(/\s+/g, ' ')
  return whole
    .filter(({ table }) => history.includes(table))
    .map(({ table }) => `${table}: ${text}`)
}

const runOf = (job: Job, payload = {}) => {
  const { signal } = new AbortController()
  return job.run({ key: 'all', payload, attempt: 1, signal, log: plane.deps.log })
}

describe('no statement of the background reads a history from end to end', () => {
  test('in repeating jobs', async () => {
    const key = `${plane.tenant.tenantId}/chat/${randomUUID()}`
    const storedAt = new Date(plane.now.getTime() - 3 * 24 * 60 * 60 * 1000)
    plane.storage.objects.set(key, { body: Buffer.from('x'), mime: 'image/png', storedAt })
    const config = { ...plane.deps.config, recordingRetentionDays: 30 }
    const found: Record<string, string[]> = {}
    for (const { kind } of repeatingJobs(plane.deps)) {
      const scans = await scansIn(async (db) => {
        const job = repeatingJobs({ ...plane.deps, config, db }).find((each) => each.kind === kind)
        if (job !== undefined) await runOf(job)
      })
      if (scans.length > 0) found[kind] = scans
    }
    // Media is embedded here, so it is not probed.
    expect(found).toEqual({ 'probe-media': ['nothing was asked'] })
  })

  test('in one share of the reconciler', async () => {
    const { id } = await plane.book()
    const scans = await scansIn((db) =>
      runOf(reconcileRoomsJob({ ...plane.deps, db }), { roomIds: id }),
    )
    expect(scans).toEqual([])
  })

  test('when claiming due jobs and deliveries', async () => {
    const places = [
      { kinds: ['apply-notifications'], free: 8, areInTurns: false },
      { kinds: ['make-clip'], free: 2, areInTurns: true },
      { kinds: ['transcribe'], free: 0, areInTurns: true },
    ]
    expect(await scansIn((db) => claimJobs(db, { places, leaseSec: 30 }))).toEqual([])
    expect(await scansIn((db) => claimDeliveries(db, { limit: 8, slowLimit: 8 }))).toEqual([])
  })

  test('and the check finds one that does', async () => {
    const scans = await scansIn((db) => db`select 1 from entry_histories where ip_address = 'x'`)
    expect(scans).toHaveLength(2)
  })
})
