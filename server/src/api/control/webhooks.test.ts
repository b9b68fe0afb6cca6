import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/db.ts'
import {
  type DeliveryWorker,
  startDeliveryWorker,
} from '../../platform/webhooks/delivery-worker.ts'
import { recordWebhookEvent } from '../../platform/webhooks/record-event.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { countLockWaits, hasLockWait } from '../../testing/lock-waits.ts'
import { createTenantClient, type TenantClient } from '../../testing/tenant-client.ts'
import { waitFor } from '../../testing/wait-for.ts'

// Attempts are looked for by the time of the database.
const plane = useControlPlane({ clock: () => new Date() })

interface ReceivedEvent {
  path: string
  id: string
  type: string
  signatures: number
}

const received: ReceivedEvent[] = []
/** Status by path; 204 for all others. */
const answers = new Map<string, number>()
let worker: DeliveryWorker
let base = ''

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    const { id, type } = JSON.parse(body)
    const path = request.url ?? ''
    const signatures = String(request.headers['webhook-signature']).split(' ').length
    received.push({ path, id, type, signatures })
    response.writeHead(answers.get(path) ?? 204).end()
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  worker = startDeliveryWorker(plane.deps)
})

afterAll(async () => {
  await worker?.stop()
  server.closeAllConnections()
  server.close()
})

interface Receiver {
  id: string
  path: string
  secret: string
}

/** A new endpoint with a path of its own. */
async function add(tenant: TenantClient, members: object = {}): Promise<Receiver> {
  const path = `/${randomUUID()}`
  const { status, data } = await tenant.post('/webhook-endpoints', {
    url: `${base}${path}`,
    ...members,
  })
  expect(status).toBe(201)
  return { id: data.id, path, secret: data.secret }
}

const newTenant = () => createTenantClient(plane.app, plane.database.db)

const EVENTS = {
  'connection_test.completed': {
    connection_test_id: '019a2e10-77c1-7aa0-8b1e-5c1d0a9e3f42',
    room_id: '019a2e10-77c1-7aa0-8b1e-5c1d0a9e3f43',
    external_ref: null,
    status: 'failed',
    summary: null,
    failure_reason: 'aborted_by_user',
    started_at: null,
    completed_at: '2030-01-01T00:00:00.000Z',
  },
  'processed_recording.status_changed': {
    processed_recording_id: '019a2e10-77c1-7aa0-8b1e-5c1d0a9e3f42',
    recording_id: '019a2e10-77c1-7aa0-8b1e-5c1d0a9e3f43',
    room_id: '019a2e10-77c1-7aa0-8b1e-5c1d0a9e3f44',
    session_external_ref: null,
    source: 'trim',
    status: 'available',
    previous_status: 'processing',
    failure_reason: null,
  },
} as const

async function record(
  { tenantId }: TenantClient,
  type: keyof typeof EVENTS = 'connection_test.completed',
): Promise<string> {
  const key = randomUUID()
  return inTransaction(plane.database.db, (tx) =>
    recordWebhookEvent(tx, {
      tenantId,
      type,
      streamKey: key,
      dedupeKey: key,
      occurredAt: new Date(),
      data: EVENTS[type],
    }),
  )
}

const receivedAt = ({ path }: Receiver) => received.filter((one) => one.path === path)

async function receives(receiver: Receiver, count: number): Promise<ReceivedEvent[]> {
  await waitFor(() => receivedAt(receiver).length >= count)
  return receivedAt(receiver)
}

/** The delivery of the event to the endpoint, once it has this state. */
async function deliveryOf(tenant: TenantClient, wanted: { eventId: string; state: string }) {
  let found: { id: string; event_id: string } | undefined
  await waitFor(async () => {
    const { data } = await tenant.get(`/webhook-deliveries?state=${wanted.state}`)
    found = data.items.find(({ event_id }: { event_id: string }) => event_id === wanted.eventId)
    return found !== undefined
  })
  return found!
}

describe('webhook endpoints', () => {
  // contract: createWebhookEndpoint › 201 with `secret` this once; the others with `id`, `url`,
  //   `description`, `event_types`, `state`, `consecutive_failures`, `next_probe_at` and `created_at`
  // contract: listWebhookEndpoints › 200, list envelope, oldest first, without secrets
  // contract: getWebhookEndpoint › 200
  test('are created, listed and read', async () => {
    const tenant = await newTenant()
    const url = `${base}/a`
    const created = await tenant.post('/webhook-endpoints', { url, description: 'Reports' })
    const { secret, ...shown } = created.data
    expect([created.status, created.headers['location']]).toEqual([
      201,
      `/api/v1/webhook-endpoints/${shown.id}`,
    ])
    expect(secret).toMatch(/^whsec_/)
    expect(shown).toMatchObject({
      url,
      description: 'Reports',
      event_types: null,
      state: 'active',
      consecutive_failures: 0,
      next_probe_at: null,
    })
    expect((await tenant.get('/webhook-endpoints')).data.items).toEqual([shown])
    expect((await tenant.get(`/webhook-endpoints/${shown.id}`)).data).toEqual(shown)
    expect((await plane.other.get(`/webhook-endpoints/${shown.id}`)).status).toBe(404)
  })

  test('are listed after the page before, even if its last one was deleted since', async () => {
    const tenant = await newTenant()
    const first = await add(tenant)
    const last = await add(tenant)
    const next = await add(tenant)
    const page = await tenant.get('/webhook-endpoints?limit=2')
    await tenant.delete(`/webhook-endpoints/${last.id}`)
    const cursor = `cursor=${page.data.next_cursor}`
    const { data } = await tenant.get(`/webhook-endpoints?limit=2&${cursor}`)
    expect(page.data.items.map(({ id }: Receiver) => id)).toEqual([first.id, last.id])
    expect(data.items.map(({ id }: Receiver) => id)).toEqual([next.id])
  })

  // contract: createWebhookEndpoint › Each endpoint gets the types it names, and one that names none
  //   gets all
  test('get the types of events that they take', async () => {
    const tenant = await newTenant()
    const all = await add(tenant)
    const some = await add(tenant, { event_types: ['processed_recording.status_changed'] })
    const one = await record(tenant)
    const two = await record(tenant, 'processed_recording.status_changed')
    const ids = (await receives(all, 2)).map(({ id }) => id)
    expect(ids.toSorted()).toEqual([one, two].toSorted())
    expect((await receives(some, 1)).map(({ id }) => id)).toEqual([two])
    const { data } = await tenant.get(`/webhook-deliveries?endpoint_id=${some.id}`)
    expect(data.items).toHaveLength(1)
  })

  // contract: createWebhookEndpoint › 422 VALIDATION_ERROR for an address that is not public https,
  //   and for more than `WEBHOOK_ENDPOINTS_MAX` endpoints
  test.each([
    ['not an address', 'here'],
    ['a password', 'https://user:secret@example.com/'],
    ['another scheme', 'ftp://example.com/'],
  ])('refuse %s', async (_what, url) => {
    const refused = await plane.tenant.post('/webhook-endpoints', { url })
    expect([refused.status, refused.code, refused.details]).toEqual([
      422,
      'VALIDATION_ERROR',
      [['url', 'NOT_ALLOWED']],
    ])
    // The rule of this test service, not that of production.
    expect(refused.text).toContain('allowed here: any http or https address')
  })

  test('are at most sixteen, without the deleted ones', async () => {
    const tenant = await newTenant()
    const added = await Promise.all(Array.from({ length: 16 }, () => add(tenant)))
    const url = `${base}/more`
    const refused = await tenant.post('/webhook-endpoints', { url })
    expect([refused.status, refused.details]).toEqual([422, [['body', 'NOT_ALLOWED']]])
    await tenant.delete(`/webhook-endpoints/${added[0]?.id}`)
    expect((await tenant.post('/webhook-endpoints', { url })).status).toBe(201)
  })

  // contract: createWebhookEndpoint › 400 INVALID_REQUEST for a `url` over `WEBHOOK_URL_MAX`, a
  //   `description` over `WEBHOOK_DESCRIPTION_MAX` characters, and unknown `event_types`
  test.each([
    [{ url: `https://example.com/${'x'.repeat(2048)}` }, ['url', 'TOO_LONG']],
    [{ description: 'x'.repeat(256) }, ['description', 'TOO_LONG']],
    [{ event_types: [] }, ['event_types', 'TOO_SHORT']],
    [{ event_types: ['webhook.test'] }, ['event_types.0', 'INVALID_ENUM']],
  ])('refuse %j', async (members, detail) => {
    const body = { url: 'https://example.com/', ...members }
    const refused = await plane.tenant.post('/webhook-endpoints', body)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.details).toContainEqual(detail)
  })

  // contract: patchWebhookEndpoint › 200: `state` paused keeps events back, active sends what waits
  //   immediately; `url`, `description` and `event_types` change
  test('are paused and resumed', async () => {
    const tenant = await newTenant()
    const receiver = await add(tenant)
    const address = `/webhook-endpoints/${receiver.id}`
    expect((await tenant.patch(address, { state: 'paused' })).data.state).toBe('paused')
    const event = await record(tenant)
    const witness = await add(tenant)
    await tenant.post(`/webhook-endpoints/${witness.id}/test`)
    expect(receivedAt(receiver)).toEqual([])
    await tenant.patch(address, { state: 'active' })
    expect((await receives(receiver, 1)).map(({ id }) => id)).toEqual([event])
  })

  // contract: testWebhookEndpoint › `outcome` is null for a paused endpoint, without waiting
  test('that are paused are tested and used again only when resumed, and no request waits', async () => {
    const tenant = await newTenant()
    const receiver = await add(tenant)
    const address = `/webhook-endpoints/${receiver.id}`
    await tenant.patch(address, { state: 'paused' })
    const { id } = await deliveryOf(tenant, { eventId: await record(tenant), state: 'pending' })
    const asked = [`${address}/test`, `/webhook-deliveries/${id}/redeliver`]
    const answers = await Promise.all(asked.map((path) => tenant.post(path)))
    expect(answers.map(({ status, data }) => [status, data.outcome])).toEqual([
      [200, null],
      [200, null],
    ])
    expect(receivedAt(receiver)).toEqual([])
    await tenant.patch(address, { state: 'active' })
    expect(await receives(receiver, 2)).toHaveLength(2)
    // An attempt that does not come is waited for up to 20 seconds.
  }, 15_000)

  test('change the given fields and leave the rest', async () => {
    const tenant = await newTenant()
    const receiver = await add(tenant, { description: 'Old' })
    const address = `/webhook-endpoints/${receiver.id}`
    const event_types = ['participant.entered']
    const url = `${base}/moved`
    expect((await tenant.patch(address, { event_types, url })).data).toMatchObject({
      event_types,
      url,
      description: 'Old',
    })
    const cleared = await tenant.patch(address, { event_types: null, description: null })
    expect(cleared.data).toMatchObject({ event_types: null, description: null, url })
  })

  test('keep the concurrent change of another call', async () => {
    const tenant = await newTenant()
    const { id } = await add(tenant)
    const changing = await inTransaction(plane.database.db, async (tx) => {
      await tx`update webhook_endpoints set url = ${`${base}/moved`} where id = ${id}`
      const patching = tenant.patch(`/webhook-endpoints/${id}`, { description: 'New' })
      await waitFor(() => hasLockWait(plane.database.db))
      return [patching] as const
    })
    const { data } = await changing[0]
    expect(data).toMatchObject({ url: `${base}/moved`, description: 'New' })
  })

  test.each(['active', 'paused'])('stay deleted, though called %s meanwhile', async (state) => {
    const tenant = await newTenant()
    const { id } = await add(tenant)
    const changing = await inTransaction(plane.database.db, async (tx) => {
      await tx`update webhook_endpoints set state = 'disabled' where id = ${id}`
      const patching = tenant.patch(`/webhook-endpoints/${id}`, { state })
      await waitFor(() => hasLockWait(plane.database.db))
      return [patching] as const
    })
    expect((await changing[0]).status).toBe(404)
    expect((await tenant.get(`/webhook-endpoints/${id}`)).status).toBe(404)
  })

  // contract: patchWebhookEndpoint › 422 VALIDATION_ERROR for an address that is not public https
  test('do not move to an address that is not allowed', async () => {
    const tenant = await newTenant()
    const { id } = await add(tenant)
    const refused = await tenant.patch(`/webhook-endpoints/${id}`, { url: 'ftp://example.com' })
    expect([refused.status, refused.code]).toEqual([422, 'VALIDATION_ERROR'])
    expect((await tenant.get(`/webhook-endpoints/${id}`)).data.url).toContain(base)
  })

  // contract: deleteWebhookEndpoint › 204, also for a repeat: what waits is cancelled, and it is 404
  //   NOT_FOUND from then on
  // contract: redeliverWebhook › 422 VALIDATION_ERROR for a delivery to a deleted endpoint
  test('are deleted', async () => {
    const tenant = await newTenant()
    const receiver = await add(tenant)
    const address = `/webhook-endpoints/${receiver.id}`
    await tenant.patch(address, { state: 'paused' })
    const eventId = await record(tenant)
    expect((await tenant.delete(address)).status).toBe(204)
    expect((await tenant.delete(address)).status).toBe(204)
    expect((await tenant.get(address)).status).toBe(404)
    const { id } = await deliveryOf(tenant, { eventId, state: 'cancelled' })
    const refused = await tenant.post(`/webhook-deliveries/${id}/redeliver`)
    expect([refused.status, refused.code]).toEqual([422, 'VALIDATION_ERROR'])
  })

  test('have one secret without an end, however many rotations come together', async () => {
    const tenant = await newTenant()
    const { id } = await add(tenant)
    const address = `/webhook-endpoints/${id}/rotate-secret`
    const rotations = await inTransaction(plane.database.db, async (tx) => {
      await tx`select 1 from webhook_secrets where endpoint_id = ${id} for update`
      const rotating = [1, 2].map(() => tenant.post(address))
      await waitFor(async () => (await countLockWaits(plane.database.db)) >= 2)
      return rotating
    })
    await Promise.all(rotations)
    const lasting = await plane.database.db`
      select 1 from webhook_secrets where endpoint_id = ${id} and expires_at is null
    `
    expect(lasting).toHaveLength(1)
  })

  // contract: rotateWebhookSecret › 200 with `secret` and `previous_secrets_expire_at`: both sign for
  //   a day
  test('sign with both secrets after a rotation', async () => {
    const tenant = await newTenant()
    const receiver = await add(tenant)
    const { status, data } = await tenant.post(`/webhook-endpoints/${receiver.id}/rotate-secret`)
    expect([status, data.secret === receiver.secret]).toEqual([200, false])
    const lifeMs = Date.parse(data.previous_secrets_expire_at) - Date.now()
    expect(Math.round(lifeMs / 3_600_000)).toBe(24)
    await record(tenant)
    expect((await receives(receiver, 1))[0]?.signatures).toBe(2)
  })

  // contract: testWebhookEndpoint › 200 with `outcome`: `is_accepted`, `event_id`, `status`, `error`
  //   and `duration_ms`; no other endpoint gets the test
  test('are tested, one at a time', async () => {
    const tenant = await newTenant()
    const [tested, other] = [
      await add(tenant, { event_types: ['participant.entered'] }),
      await add(tenant),
    ]
    const { status, data } = await tenant.post(`/webhook-endpoints/${tested.id}/test`)
    expect([status, data.outcome]).toMatchObject([
      200,
      { is_accepted: true, status: 204, error: null },
    ])
    const [event] = receivedAt(tested)
    expect([event?.type, event?.id]).toEqual(['webhook.test', data.outcome.event_id])
    expect(receivedAt(other)).toEqual([])
    answers.set(tested.path, 500)
    const failed = await tenant.post(`/webhook-endpoints/${tested.id}/test`)
    expect(failed.data.outcome).toMatchObject({ is_accepted: false, status: 500 })
  })

  // contract: testWebhookEndpoint › 200 with `outcome`: `is_accepted`, `event_id`, `status`, `error`
  //   and `duration_ms`; no other endpoint gets the test
  test.each([302, 404, 410, 422, 429])('are not accepted by an answer with %i', async (status) => {
    const tenant = await newTenant()
    const { id, path } = await add(tenant)
    answers.set(path, status)
    const { data } = await tenant.post(`/webhook-endpoints/${id}/test`)
    const error = `http_${status}`
    expect(data.outcome).toMatchObject({ is_accepted: false, status, error })
    const [delivery] = (await tenant.get('/webhook-deliveries')).data.items
    expect(delivery).toMatchObject({ last_status: status, last_error: error })
    const { attempts } = (await tenant.get(`/webhook-deliveries/${delivery.id}`)).data
    expect(attempts).toMatchObject([{ status, error }])
  })
})

describe('webhook deliveries', () => {
  // contract: listWebhookDeliveries › 200, list envelope, newest first, with `id`, `endpoint_id`,
  //   `event_id`, `type`, `state`, `attempts_made`, `is_parked`, `last_status`, `last_error`,
  //   `created_at`, `next_attempt_at` and `finished_at`
  // contract: getWebhookDelivery › 200 with its `event`, `version`, `occurred_at`, `data`, and
  //   `attempts`: `number`, `started_at`, `status`, `error`, `duration_ms`
  test('show the sent body and the answer', async () => {
    const tenant = await newTenant()
    const receiver = await add(tenant)
    const eventId = await record(tenant)
    const listed = await deliveryOf(tenant, { eventId, state: 'succeeded' })
    expect(listed).toMatchObject({
      endpoint_id: receiver.id,
      type: 'connection_test.completed',
      attempts_made: 1,
      is_parked: false,
      last_status: 204,
      last_error: null,
      next_attempt_at: null,
      created_at: expect.any(String),
    })
    const { data } = await tenant.get(`/webhook-deliveries/${listed.id}`)
    expect(data).toMatchObject({
      ...listed,
      event: { id: eventId, data: EVENTS['connection_test.completed'] },
      attempts: [{ number: 1, status: 204, error: null }],
    })
    expect((await plane.other.get('/webhook-deliveries')).data.items).toEqual([])
  })

  test('are read page by page, newest first', async () => {
    const tenant = await newTenant()
    await add(tenant)
    await add(tenant)
    const events: string[] = []
    for (let n = 0; n < 3; n += 1) events.push(await record(tenant))
    const seen: string[] = []
    let cursor = ''
    for (;;) {
      const { data } = await tenant.get(`/webhook-deliveries?limit=4${cursor}`)
      seen.push(...data.items.map(({ event_id }: { event_id: string }) => event_id))
      if (!data.has_more) break
      cursor = `&cursor=${data.next_cursor}`
    }
    expect(seen).toEqual(events.toReversed().flatMap((id) => [id, id]))
  })

  // contract: redeliverWebhook › 200 with `outcome`: the same event, sent again
  test('are made again', async () => {
    const tenant = await newTenant()
    const receiver = await add(tenant)
    const eventId = await record(tenant)
    const { id } = await deliveryOf(tenant, { eventId, state: 'succeeded' })
    const { status, data } = await tenant.post(`/webhook-deliveries/${id}/redeliver`)
    expect([status, data.outcome]).toMatchObject([200, { is_accepted: true, event_id: eventId }])
    expect((await receives(receiver, 2)).map((one) => one.id)).toEqual([eventId, eventId])
  })

  // contract: replayWebhookEvents › 200 with `events` and `is_dry_run`: those of the period, `since`
  //   and `until`, of one `type` or of all that the endpoint takes; `dry_run` counts them
  test('of a period are made again, to one endpoint', async () => {
    const tenant = await newTenant()
    const since = new Date(Date.now() - 60_000).toISOString()
    const events = [await record(tenant), await record(tenant)]
    await record(tenant, 'processed_recording.status_changed')
    const [late, other] = [
      await add(tenant, { event_types: ['connection_test.completed'] }),
      await add(tenant),
    ]
    const replay = (body: object) =>
      tenant.post(`/webhook-endpoints/${late.id}/replay`, { since, ...body })
    const counted = { id: null, status: null, events: 2, is_dry_run: true }
    expect((await replay({ dry_run: true })).data).toEqual(counted)
    const type = 'processed_recording.status_changed'
    expect((await replay({ dry_run: true, type })).data.events).toBe(1)
    expect(receivedAt(late)).toEqual([])
    const done = { status: 'done', events: 2, is_dry_run: false }
    expect((await replay({})).data).toMatchObject(done)
    const ids = (await receives(late, 2)).map(({ id }) => id)
    expect(ids.toSorted()).toEqual(events.toSorted())
    expect(receivedAt(other)).toEqual([])
  })

  // contract: replayWebhookEvents › without the tests of endpoints (`webhook.test`)
  test('of a period are made again without the tests of endpoints', async () => {
    const tenant = await newTenant()
    const since = new Date(Date.now() - 60_000).toISOString()
    const [tested, other] = [await add(tenant), await add(tenant)]
    await tenant.post(`/webhook-endpoints/${tested.id}/test`)
    const eventId = await record(tenant)
    await receives(other, 1)
    // A replay leaves a delivery alone that is still under way.
    const isDelivered = async (endpointId: string) => {
      const path = `/webhook-deliveries?state=succeeded&endpoint_id=${endpointId}`
      const { data } = await tenant.get(path)
      return data.items.some((each: { event_id: string }) => each.event_id === eventId)
    }
    await waitFor(() => isDelivered(other.id))
    const { data } = await tenant.post(`/webhook-endpoints/${other.id}/replay`, { since })
    expect(data).toMatchObject({ status: 'done', events: 1, is_dry_run: false })
    expect((await receives(other, 2)).map(({ id }) => id)).toEqual([eventId, eventId])
  })

  // contract: replayWebhookEvents › `id` and `status` of a replay that goes on: both null for a dry run
  // contract: getWebhookReplay › 200 with the order (`id`, `endpoint_id`, `type`, `since`, `until`,
  //   `created_at`), `status`, `events`, `events_queued` and `finished_at`
  // contract: getWebhookReplay › 404 NOT_FOUND for a replay of another tenant
  // contract: cancelWebhookReplay › 200 with `status` `cancelled` and the rest as it is read; a repeat
  //   answers the same
  // contract: cancelWebhookReplay › 404 NOT_FOUND for a replay of another tenant
  test('of a long period show how far they are, and can be cancelled', async () => {
    const tenant = await newTenant()
    const receiver = await add(tenant, { event_types: ['connection_test.completed'] })
    await tenant.patch(`/webhook-endpoints/${receiver.id}`, { state: 'paused' })
    for (let n = 0; n < 251; n += 1) await record(tenant)
    const since = new Date(Date.now() - 60_000).toISOString()
    const { data } = await tenant.post(`/webhook-endpoints/${receiver.id}/replay`, { since })
    expect(data).toMatchObject({ status: 'running', events: 251 })
    const address = `/webhook-replays/${data.id}`
    expect((await tenant.get(address)).data).toMatchObject({
      id: data.id,
      endpoint_id: receiver.id,
      status: 'running',
      type: null,
      since,
      events: 251,
      events_queued: 250,
      finished_at: null,
    })
    const other = await newTenant()
    expect((await other.get(address)).code).toBe('NOT_FOUND')
    expect((await other.post(`${address}/cancel`)).code).toBe('NOT_FOUND')
    const cancelled = await tenant.post(`${address}/cancel`)
    expect([cancelled.status, cancelled.data.status]).toEqual([200, 'cancelled'])
    expect((await tenant.post(`${address}/cancel`)).data).toEqual(cancelled.data)
  })

  // contract: replayWebhookEvents › 422 VALIDATION_ERROR for an `until` that is not after `since`
  test('of no period are refused', async () => {
    const tenant = await newTenant()
    const { id } = await add(tenant)
    const since = '2030-01-01T00:00:00Z'
    const refused = await tenant.post(`/webhook-endpoints/${id}/replay`, { since, until: since })
    expect([refused.status, refused.code, refused.details]).toEqual([
      422,
      'VALIDATION_ERROR',
      [['until', 'OUT_OF_RANGE']],
    ])
  })
})
