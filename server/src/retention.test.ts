import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identifier, openDb } from './platform/db/db.ts'
import type { RepeatingJob } from './platform/jobs/repeating-job.ts'
import { SWEEP_BATCH } from './platform/jobs/sweep-job.ts'
import { useControlPlane } from './testing/control-plane.ts'
import { TEST_TIMEOUTS } from './testing/database.ts'
import { fillTables } from './testing/filled-tables.ts'
import { repeatingJobs } from './worker.ts'

const PAGE = path.resolve(import.meta.dirname, '../../docs/retention.md')

const plane = useControlPlane()
// They are no webhooks of the contract.
afterAll(() => plane.database.db`truncate webhook_events cascade`)

/** `| `table` | what it holds | bound | removed by |` */
function rowsOfPage() {
  const page = readFileSync(PAGE, 'utf8')
  return [...page.matchAll(/^\| `(\w+)` +\|([^|]+)\|([^|]+)\|([^|]+)\|$/gm)].map(
    ([, table = '', holds = '', bound = '', removedBy = '']) => ({
      table,
      cells: [holds, bound, removedBy].map((cell) => cell.trim()),
    }),
  )
}

describe('docs/retention.md', () => {
  test('has a line for every table of the database, and no other', async () => {
    const tables = await plane.database.db<{ name: string }[]>`
      select table_name as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'
    `
    const named = rowsOfPage().map(({ table }) => table)
    expect(named.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
    for (const { cells } of rowsOfPage()) expect(cells.every((cell) => cell !== '')).toBe(true)
  })

  test('names no sweep that there is not, and every one that there is', () => {
    const kinds = repeatingJobs(plane.deps)
      .map(({ kind }) => kind)
      .filter((kind) => kind.startsWith('sweep-') && kind !== 'sweep-objects')
    const named = rowsOfPage().flatMap(({ cells }) =>
      [...(cells[2] ?? '').matchAll(/`(sweep-[\w-]+)`/g)].map(([, kind]) => kind),
    )
    expect(new Set(named)).toEqual(new Set(kinds))
  })
})

const jobOf = (kind: string): RepeatingJob => {
  const found = repeatingJobs(plane.deps).find((each) => each.kind === kind)
  if (found === undefined) throw new Error(`no job ${kind}`)
  return found
}

/** True when the next run should follow immediately. */
async function run(kind: string): Promise<boolean> {
  const { signal } = new AbortController()
  const { log } = plane.deps
  const job = jobOf(kind)
  const ended = await job.run({ key: 'all', payload: {}, attempt: 1, signal, log })
  return ended.outcome === 'again' && ended.at.getTime() === plane.now.getTime()
}

describe('old rows are deleted batch by batch, and young ones stay', () => {
  const OLD = SWEEP_BATCH + 1
  const YOUNG = 10
  beforeAll(async () => {
    plane.now = new Date()
    const { url } = plane.database
    const db = openDb({ url, poolSize: 1, applicationName: 'tests', ...TEST_TIMEOUTS })
    try {
      const { tenantId } = plane.tenant
      await fillTables(db, { tenantId, count: OLD, age: '3 years' })
      await fillTables(db, { tenantId: plane.other.tenantId, count: YOUNG, age: '1 minute' })
    } finally {
      await db.end()
    }
  })

  test.each([
    ['sweep-live-events', 'live_events'],
    ['sweep-live-texts', 'live_texts'],
    ['sweep-admissions', 'admissions'],
    ['sweep-access-log', 'download_accesses'],
    ['sweep-jobs', 'jobs'],
    ['sweep-board-links', 'board_links'],
    ['sweep-idempotency-keys', 'idempotency_keys'],
    ['sweep-notifications', 'provider_notifications'],
    ['sweep-chat-tombstones', 'chat_tombstones'],
    ['sweep-chat-uploads', 'chat_attachments'],
    ['sweep-webhooks', 'webhook_events'],
  ])('%s', async (kind, table) => {
    const { db } = plane.database
    const left = async () => {
      const [row] = await db<{ count: number }[]>`
        select count(*)::int as count from ${identifier(table)}
         where ${table !== 'jobs'} or (to_jsonb(${identifier(table)}) ->> 'state') = 'discarded'
      `
      return row?.count ?? 0
    }
    const before = await left()
    expect(before).toBe(OLD + YOUNG)
    let batches = 0
    while (await run(kind)) {
      batches += 1
      expect(before - (await left())).toBeLessThanOrEqual(batches * SWEEP_BATCH)
    }
    expect(batches).toBeGreaterThan(0)
    expect(await left()).toBe(YOUNG)
  })

  test('deliveries and attempts are deleted with the event', async () => {
    const { db } = plane.database
    const [row] = await db`
      select (select count(*)::int from webhook_deliveries) as deliveries,
             (select count(*)::int from webhook_attempts) as attempts
    `
    expect(row).toEqual({ deliveries: YOUNG, attempts: YOUNG })
  })

  test('participants stay when their admission is forgotten', async () => {
    const { db } = plane.database
    const [row] = await db`
      select count(*)::int as count, count(admission_id)::int as admitted from participants
    `
    expect(row).toEqual({ count: OLD + YOUNG, admitted: YOUNG })
  })
})

test('pending deliveries of a gone endpoint are deleted after thirty days', async () => {
  const { db } = plane.database
  const { tenantId } = plane.tenant
  await db`update webhook_endpoints set state = 'gone' where tenant_id = ${tenantId}`
  for (const [id, age] of [
    ['old', '31 days'],
    ['young', '29 days'],
  ] as const) {
    await db`
      insert into webhook_events (id, tenant_id, type, occurred_at, stream_key, dedupe_key, body,
                                  created_at)
      values (${id}, ${tenantId}, 'participant.entered', now(), ${id}, ${id}, '{}',
              now() - ${age}::interval)
    `
    await db`
      insert into webhook_deliveries (event_id, endpoint_id, stream_key)
      values (${id}, ${tenantId}, ${id})
    `
  }
  await run('sweep-webhooks')
  const left = await db`select event_id from webhook_deliveries where state = 'pending'`
  expect(left.map(({ event_id }) => event_id)).toEqual(['young'])
  await db`delete from webhook_events where id = 'young'`
})
