import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inTransaction, type Tx } from '../../platform/db/db.ts'
import { recordWebhookEvent } from '../../platform/webhooks/record-event.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { createTenantClient, type TenantClient } from '../../testing/tenant-client.ts'

const plane = useControlPlane()

async function newTenant(): Promise<TenantClient> {
  return createTenantClient(plane.app, plane.database.db)
}

async function record(tx: Tx, { tenantId }: TenantClient, message: string): Promise<string> {
  return recordWebhookEvent(tx, {
    tenantId,
    type: 'webhook.test',
    streamKey: message,
    dedupeKey: randomUUID(),
    occurredAt: new Date(),
    data: { message },
  })
}

const recordOne = (tenant: TenantClient, message: string) =>
  inTransaction(plane.database.db, (tx) => record(tx, tenant, message))

interface Event {
  id: string
  data: { message: string }
}

async function read(tenant: TenantClient, query = ''): Promise<Event[]> {
  const { status, data } = await tenant.get(`/events${query}`)
  expect(status).toBe(200)
  return data.items
}

const messagesOf = (events: readonly Event[]) => events.map(({ data }) => data.message)

describe('GET /events', () => {
  // contract: listEvents › 200, list envelope, oldest first, each with `id`, `version`, `type`,
  //   `occurred_at` and `data` of its webhook, also for a tenant without an endpoint
  test('returns the events of webhooks, without any endpoint', async () => {
    const tenant = await newTenant()
    const id = await recordOne(tenant, 'one')
    const [event] = await read(tenant)
    const [stored] = await plane.database.db`select body from webhook_events where id = ${id}`
    expect(event).toEqual(JSON.parse(stored?.['body']))
    expect(await read(plane.other)).toEqual([])
  })

  // contract: listEvents › `after` continues after an event, `cursor` continues the page
  test('continues after a processed event', async () => {
    const tenant = await newTenant()
    const ids: string[] = []
    for (const message of ['a', 'b', 'c', 'd']) ids.push(await recordOne(tenant, message))
    expect(messagesOf(await read(tenant, `?after=${ids[1]}`))).toEqual(['c', 'd'])
    expect(await read(tenant, `?after=${ids[3]}`)).toEqual([])
    const { data } = await tenant.get(`/events?after=${ids[0]}&limit=2`)
    expect([messagesOf(data.items), data.has_more]).toEqual([['b', 'c'], true])
    const rest = await read(tenant, `?after=${ids[0]}&limit=2&cursor=${data.next_cursor}`)
    expect(messagesOf(rest)).toEqual(['d'])
  })

  // contract: listEvents › `type` returns events of one type only
  test('returns events of one type', async () => {
    const tenant = await newTenant()
    await recordOne(tenant, 'a')
    expect(await read(tenant, '?type=webhook.test')).toHaveLength(1)
    expect(await read(tenant, '?type=participant.entered')).toEqual([])
  })

  // contract: listEvents › 400 INVALID_REQUEST for an `after` that is not an event of the tenant: it never
  //   was, belongs to somebody else, or is older than 30 days
  test.each([
    ['unknown', `evt_${'0'.repeat(32)}`, 'NOT_ALLOWED'],
    ['malformed', '12', 'INVALID_FORMAT'],
  ])('refuses an id that is %s', async (_what, after, code) => {
    const refused = await plane.tenant.get(`/events?after=${after}`)
    expect([refused.status, refused.code, refused.details]).toEqual([
      400,
      'INVALID_REQUEST',
      [['after', code]],
    ])
  })

  test('refuses the id of an event of another tenant like an unknown one', async () => {
    const tenant = await newTenant()
    const id = await recordOne(tenant, 'a')
    await read(tenant)
    const refused = await plane.other.get(`/events?after=${id}`)
    expect([refused.status, refused.details]).toEqual([400, [['after', 'NOT_ALLOWED']]])
  })

  // contract: listEvents › An event whose transaction commits late is behind those that were read
  //   before, and never missing
  test('misses no event that is committed after a later one', async () => {
    const tenant = await newTenant()
    const committed = Promise.withResolvers<void>()
    const recorded = Promise.withResolvers<void>()
    const slow = inTransaction(plane.database.db, async (tx) => {
      await record(tx, tenant, 'slow')
      recorded.resolve()
      await committed.promise
    })
    await recorded.promise
    const quick = await recordOne(tenant, 'quick')
    expect(messagesOf(await read(tenant))).toEqual(['quick'])
    committed.resolve()
    await slow
    expect(messagesOf(await read(tenant, `?after=${quick}`))).toEqual(['slow'])
    expect(messagesOf(await read(tenant))).toEqual(['quick', 'slow'])
  })

  test('gives many readers beside many writers every event once, in the same order', async () => {
    const tenant = await newTenant()
    const writes = Array.from({ length: 60 }, (_, n) => recordOne(tenant, String(n)))
    const readers = Array.from({ length: 4 }, async () => {
      const seen: string[] = []
      let last = ''
      while (seen.length < 60) {
        const events = await read(tenant, `?limit=7${last && `&after=${last}`}`)
        last = events.at(-1)?.id ?? last
        seen.push(...messagesOf(events))
      }
      return seen
    })
    await Promise.all(writes)
    const [first, ...others] = await Promise.all(readers)
    expect(new Set(first).size).toBe(60)
    for (const other of others) expect(other).toEqual(first)
  })
})
