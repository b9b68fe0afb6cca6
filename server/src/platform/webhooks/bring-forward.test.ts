import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createTenant } from '../tenants/create-tenant.ts'
import { bringDeliveriesForward } from './bring-forward.ts'

const HOUR_SEC = 3600

let database: TestDatabase
let endpointId: string
let tenantId: string
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  tenantId = (await createTenant(db, { name: 'T' })).id
  endpointId = randomUUID()
  await db`
    insert into webhook_endpoints (id, tenant_id, url) values (${endpointId}, ${tenantId}, 'https://a.test')
  `
})
afterAll(async () => {
  await database.db`delete from webhook_events`
  await database.drop()
})

interface Waiting {
  attempt: number
  status?: number
  isLeased?: boolean
  /** Seconds from now. */
  dueSec: number
}

/** Inserts the delivery, brings deliveries forward and returns when it is due, in seconds from now. */
async function bring({ attempt, status, isLeased, dueSec }: Waiting) {
  const { db } = database
  const eventId = randomUUID()
  await db`delete from webhook_events`
  await db`
    insert into webhook_events (id, tenant_id, type, occurred_at, stream_key, dedupe_key, body)
    values (${eventId}, ${tenantId}, 'room.closed', now(), 'a', ${eventId}, '{}')
  `
  await db`
    insert into webhook_deliveries (event_id, endpoint_id, stream_key, attempt, last_status,
                                    lease_token, due_at)
    values (${eventId}, ${endpointId}, 'a', ${attempt}, ${status ?? null},
            ${isLeased === true ? randomUUID() : null},
            clock_timestamp() + make_interval(secs => ${dueSec}))
  `
  const count = await bringDeliveriesForward(db)
  const [row] = await db<{ dueSec: number }[]>`
    select round(extract(epoch from due_at - clock_timestamp()) / 10)::float8 * 10 as "dueSec"
      from webhook_deliveries
  `
  return { count, dueSec: row?.dueSec }
}

describe('after the clock of the database was set back', () => {
  test.each<[string, Waiting]>([
    ['that was never tried', { attempt: 0, dueSec: 120 }],
    ['that failed once', { attempt: 1, status: 500, dueSec: 120 }],
    ['without an answer', { attempt: 2, dueSec: HOUR_SEC }],
    ['whose receiver asked for time', { attempt: 1, status: 429, dueSec: 30 * HOUR_SEC }],
  ])('a delivery %s is due', async (_what, waiting) => {
    expect(await bring(waiting)).toEqual({ count: 1, dueSec: 0 })
  })

  test('a delivery that may be under way keeps one lease', async () => {
    const underWay = { attempt: 0, isLeased: true, dueSec: HOUR_SEC }
    expect(await bring(underWay)).toEqual({ count: 1, dueSec: 30 })
  })

  test('an endpoint is probed', async () => {
    const { db } = database
    await db`update webhook_endpoints set next_probe_at = clock_timestamp() + interval '4 hours'`
    await bringDeliveriesForward(db)
    const [row] = await db`
      select next_probe_at <= clock_timestamp() as "isDue" from webhook_endpoints
    `
    expect(row).toEqual({ isDue: true })
  })
})

test.each<[string, Waiting]>([
  ['within its pause', { attempt: 4, status: 500, dueSec: 300 }],
  ['after its longest pause', { attempt: 11, status: 500, dueSec: 28 * HOUR_SEC }],
  ['whose receiver asked for a day', { attempt: 1, status: 503, dueSec: 24 * HOUR_SEC }],
  ['under way', { attempt: 0, isLeased: true, dueSec: 30 }],
])('a delivery %s is left alone', async (_what, waiting) => {
  expect(await bring(waiting)).toEqual({ count: 0, dueSec: waiting.dueSec })
})
