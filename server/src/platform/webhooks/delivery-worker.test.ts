import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { failingDatabase } from '../../testing/failing-database.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { type ReceivedWebhook, useWebhookTenant } from '../../testing/webhook-tenant.ts'
import { inTransaction } from '../db/db.ts'
import { DatabaseLost, DatabaseUnavailable } from '../db/unavailable.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { runInTrace } from '../lib/trace.ts'
import { createTenant } from '../tenants/create-tenant.ts'
import { claimDeliveries, type ClaimedDelivery, makeForgottenDue } from './delivery-store.ts'
import { startDeliveryWorker } from './delivery-worker.ts'
import { redeliverEvent, skipWebhook } from './manage-webhooks.ts'
import { recordWebhookEvent } from './record-event.ts'
import { addEndpoint, rotateSecret, setEndpoint } from './set-endpoint.ts'

const tenant = useWebhookTenant()

describe('a webhook', () => {
  // contract: Webhook envelope and signature › HMAC signature of Standard Webhooks, `webhook-id` is
  //   the envelope's id
  test('carries signatures that the public package verifies, under the id of its body', async () => {
    await tenant.record('hello')
    tenant.startWorkers()
    await waitFor(() => tenant.received.length === 1)
    const [{ body, headers } = { body: '', headers: {} }] = tenant.received
    expect(
      new Webhook(tenant.secret).verify(body, headers as Record<string, string>),
    ).toMatchObject({
      id: headers['webhook-id'],
      version: '1',
      type: 'webhook.test',
    })
    await waitFor(async () => (await tenant.deliveries())[0]?.['state'] === 'succeeded')
  })

  // contract: Webhook envelope and signature › Two signatures while a secret rotates
  test('is signed by the old secret and the new one while a secret rotates', async () => {
    const rotated = await rotateSecret(tenant.deps, {
      endpointId: (await tenant.endpoint()).id,
      now: new Date(),
    })
    await tenant.record('both')
    tenant.startWorkers()
    await waitFor(() => tenant.received.length === 1)
    const { body, headers } = tenant.received[0] as ReceivedWebhook
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2)
    for (const each of [tenant.secret, rotated?.secret ?? '']) {
      expect(() => new Webhook(each).verify(body, headers as Record<string, string>)).not.toThrow()
    }
  })

  test('is finished before the process rests for an isolated job, and the next one waits for its end', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    tenant.delay = () => held
    await tenant.record('under way')
    const workers = tenant.startWorkers()
    await waitFor(() => tenant.received.length === 1)
    const paused = Promise.all(workers.map((worker) => worker.pause()))
    letGo()
    await paused
    expect(await tenant.deliveries()).toMatchObject([{ state: 'succeeded' }])
    await tenant.record('next')
    // Another process finds it free.
    const slots = { limit: 1, slowLimit: 1 }
    expect(await claimDeliveries(tenant.database.db, slots)).toHaveLength(1)
    await tenant.database.db`
      update webhook_deliveries set lease_token = null, due_at = clock_timestamp()
       where state = 'pending'
    `
    for (const worker of workers) worker.resume()
    await waitFor(() => tenant.received.length === 2)
  })

  test('is signed only by the new secret if the old one can no longer be decrypted', async () => {
    const { id: endpointId } = await tenant.endpoint()
    await tenant.database.db`
      update webhook_secrets set secret_encrypted = ${createSecretBox(randomBytes(32)).seal('lost')}
       where endpoint_id = ${endpointId}
    `
    const { secret } = await rotateSecret(tenant.deps, { endpointId, now: new Date() })
    await tenant.record('remedied')
    tenant.startWorkers()
    await waitFor(() => tenant.received.length === 1)
    const { body, headers } = tenant.received[0] as ReceivedWebhook
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(1)
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow()
  })

  // contract: Form of answers › `traceparent` of the caller is continued by the webhook
  test('continues the trace of the request that caused it', async () => {
    const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    await runInTrace(trace, () => tenant.record('traced'))
    await tenant.record('untraced')
    tenant.startWorkers()
    await waitFor(() => tenant.received.length === 2)
    const traces = tenant.received.map(({ body, headers }) => [
      JSON.parse(body).data.message,
      headers['traceparent'],
    ])
    expect(Object.fromEntries(traces)).toEqual({ traced: trace, untraced: undefined })
    const stored = await tenant.database.db<{ context: string | null }[]>`
      select trace_context as context from webhook_events
       where tenant_id = ${tenant.tenantId} order by seq
    `
    expect(stored.map(({ context }) => context)).toEqual([trace, null])
  })

  // contract: Webhook envelope and signature › Recorded in the transaction of the change, once per
  //   transition
  test('is recorded once per transition', async () => {
    await tenant.record('once')
    await tenant.record('once')
    expect(await tenant.deliveries()).toHaveLength(1)
  })

  // contract: Webhook envelope and signature › A change that was rolled back is not published
  test('is not sent when its transaction rolled back', async () => {
    await expect(
      inTransaction(tenant.database.db, async (tx) => {
        await recordWebhookEvent(tx, {
          tenantId: tenant.tenantId,
          type: 'webhook.test',
          streamKey: 's',
          dedupeKey: 'rolled back',
          occurredAt: new Date(),
          data: { message: 'never' },
        })
        throw new Error('undo')
      }),
    ).rejects.toThrow('undo')
    expect(await tenant.deliveries()).toHaveLength(0)
  })

  // contract: Webhook envelope and signature › At least once, with the same id and bytes
  test('is sent again with the same id and bytes after a failure', async () => {
    tenant.answer = { status: 500 }
    await tenant.record('again')
    tenant.startWorkers()
    await waitFor(async () => (await tenant.deliveries())[0]?.['attempt'] === 1)
    const [delivery] = await tenant.deliveries()
    const pauseMs = new Date(delivery?.['due_at']).getTime() - Date.now()
    expect(pauseMs).toBeGreaterThan(0)
    expect(pauseMs).toBeLessThanOrEqual(6000)

    tenant.answer = { status: 200 }
    await tenant.makeDue()
    await waitFor(() => tenant.received.length === 2)
    expect(tenant.received[1]?.body).toBe(tenant.received[0]?.body)
    expect(tenant.received[1]?.headers['webhook-id']).toBe(
      tenant.received[0]?.headers['webhook-id'],
    )
  })

  // contract: Webhook envelope and signature › `Retry-After` is honoured
  test('waits as long as the receiver asks for', async () => {
    tenant.answer = { status: 429, headers: { 'retry-after': '3600' } }
    await tenant.record('later')
    tenant.startWorkers()
    await waitFor(async () => (await tenant.deliveries())[0]?.['attempt'] === 1)
    const [delivery] = await tenant.deliveries()
    const pauseMs = new Date(delivery?.['due_at']).getTime() - Date.now()
    expect(pauseMs).toBeGreaterThan(3_500_000)
  })

  test('counts as delivered by the status, even if the connection breaks after it', async () => {
    tenant.answer = { status: 200, isBrokenOff: true }
    await tenant.record('once')
    tenant.startWorkers()
    await waitFor(async () => (await tenant.deliveries())[0]?.['attempts_made'] === 1)
    expect((await tenant.deliveries())[0]).toMatchObject({ state: 'succeeded', last_status: 200 })
  })

  // contract: Webhook envelope and signature › Redirects are not followed
  test('does not follow a redirect', async () => {
    tenant.answer = { status: 307, headers: { location: `${tenant.url}/elsewhere` } }
    await tenant.record('stay')
    tenant.startWorkers()
    await waitFor(async () => (await tenant.deliveries())[0]?.['last_status'] === 307)
    expect(tenant.received).toHaveLength(1)
  })

  // contract: Webhook envelope and signature › 410 ends the use of the endpoint
  test('ends the use of an endpoint that answers 410, and is kept', async () => {
    tenant.answer = { status: 410 }
    await tenant.record('gone')
    tenant.startWorkers()
    await waitFor(async () => {
      const [endpoint] = await tenant.database.db`select state from webhook_endpoints`
      return endpoint?.['state'] === 'gone'
    })
    expect((await tenant.deliveries())[0]?.['state']).toBe('pending')
  })

  // contract: Webhook envelope and signature › Given up after twelve attempts; the operator may
  //   send it again
  test('is given up after twelve attempts and can still be sent by the operator', async () => {
    await tenant.record('last')
    await tenant.database.db`update webhook_deliveries set attempt = 11`
    tenant.answer = { status: 500 }
    tenant.startWorkers()
    await waitFor(async () => (await tenant.deliveries())[0]?.['state'] === 'failed')

    tenant.answer = { status: 200 }
    const eventId = String((await tenant.deliveries())[0]?.['event_id'])
    const { tenantId } = tenant
    const asked = { tenantId, eventId }
    const again = await redeliverEvent(tenant.deps, asked, await tenant.endpoint())
    expect(again?.outcome).toMatchObject({ eventId, status: 200, errorClass: null })
    await waitFor(async () => (await tenant.deliveries())[0]?.['state'] === 'succeeded')
  })
})

describe('deliveries', () => {
  // contract: Webhook envelope and signature › Order within a resource, at any age
  test('of one resource keep their order, however old the first one is', async () => {
    tenant.answer = { status: 500 }
    await tenant.record('first', 'same')
    tenant.startWorkers()
    await waitFor(() => tenant.received.length === 1)
    await tenant.database.db`update webhook_deliveries set created_at = now() - interval '6 days'`
    await tenant.record('second', 'same')
    await tenant.record('other')
    await waitFor(() => tenant.messages().includes('other'))
    expect(tenant.messages()).not.toContain('second')

    tenant.answer = { status: 200 }
    await tenant.makeDue()
    await waitFor(() => tenant.messages().includes('second'))
    expect(tenant.messages().lastIndexOf('first')).toBeLessThan(tenant.messages().indexOf('second'))
  })

  // contract: Webhook envelope and signature › A refused event is passed by later ones after eight
  //   minutes
  test('overtake an event of their resource that was refused for eight minutes, which continues separately', async () => {
    tenant.refused.add('stuck')
    await tenant.record('stuck', 'same')
    await tenant.record('next', 'same')
    await tenant.database.db`update webhook_deliveries set attempt = 4 where due_at is not null`
    tenant.startWorkers()
    await waitFor(() => tenant.messages().includes('next'))
    const [stuck] = await tenant.deliveries()
    expect(stuck).toMatchObject({
      state: 'pending',
      attempt: 5,
      attempts_made: 1,
      last_status: 422,
    })
    expect(stuck?.['parked_at']).not.toBeNull()

    tenant.refused.clear()
    await tenant.makeDue()
    await waitFor(async () =>
      (await tenant.deliveries()).every(({ state }) => state === 'succeeded'),
    )
  })

  test('of one resource continue after one that the operator skips', async () => {
    tenant.refused.add('stuck')
    await tenant.record('stuck', 'same')
    await tenant.record('next', 'same')
    tenant.startWorkers()
    await waitFor(() => tenant.received.length === 1)
    await waitFor(async () => (await tenant.deliveries())[0]?.['lease_token'] === null)
    const [{ event_id: eventId } = { event_id: '' }] = await tenant.deliveries()
    const { id: endpointId } = await tenant.endpoint()
    expect(await skipWebhook(tenant.deps, { endpointId, eventId })).toBe(true)
    await waitFor(() => tenant.messages().includes('next'))
    expect(await skipWebhook(tenant.deps, { endpointId, eventId })).toBe(false)
  })

  test('of one resource that were recorded at the same moment are all made', async () => {
    await inTransaction(tenant.database.db, async (one) => {
      await tenant.recordIn(one, 'one', 'same')
      // Neither of the two transactions sees the other.
      await tenant.record('two', 'same')
    })
    tenant.startWorkers()
    await waitFor(async () =>
      (await tenant.deliveries()).every(({ state }) => state === 'succeeded'),
    )
    expect(tenant.messages().toSorted()).toEqual(['one', 'two'])
  })

  test('that nothing would make due are made due by the sweep', async () => {
    await tenant.record('left')
    await tenant.database.db`update webhook_deliveries set due_at = null`
    tenant.startWorkers()
    expect(await makeForgottenDue(tenant.database.db)).toBe(1)
    await waitFor(() => tenant.messages().includes('left'))
  })

  test('of many resources are on their way side by side, more and more, and one for each resource', async () => {
    await tenant.database.db`update webhook_endpoints set parallel = 16`
    let together = 0
    let most = 0
    const streams = new Set<string>()
    tenant.delay = async (message) => {
      const stream = message.split(' ')[0] ?? ''
      expect(streams.has(stream)).toBe(false)
      streams.add(stream)
      together += 1
      most = Math.max(most, together)
      await waitFor(() => most >= 16)
      streams.delete(stream)
      together -= 1
    }
    for (let n = 0; n < 48; n += 1) await tenant.record(`s${n % 24} ${n}`, `s${n % 24}`)
    tenant.startWorkers(2)
    await waitFor(async () =>
      (await tenant.deliveries()).every(({ state }) => state === 'succeeded'),
    )
    expect(most).toBeGreaterThanOrEqual(16)
    const [row] = await tenant.database.db`select parallel from webhook_endpoints`
    expect(row?.['parallel']).toBeGreaterThan(16)
    for (let n = 0; n < 24; n += 1) {
      const first = tenant.messages().indexOf(`s${n} ${n}`)
      expect(first).toBeLessThan(tenant.messages().indexOf(`s${n} ${n + 24}`))
    }
  })

  test('to others are made while an endpoint hangs', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    tenant.delay = async (message) => {
      if (message.startsWith('hangs')) await isOver
    }
    for (let n = 0; n < 20; n += 1) await tenant.record(`hangs ${n}`)
    tenant.startWorkers()
    await waitFor(() => tenant.received.length === 4)
    const hanging = tenant.tenantId
    tenant.tenantId = (await createTenant(tenant.database.db, { name: 'Other' })).id
    await setEndpoint(tenant.deps, { tenantId: tenant.tenantId, url: tenant.url })
    for (let n = 0; n < 20; n += 1) await tenant.record(`well ${n}`)
    await waitFor(async () =>
      (await tenant.deliveries()).every(({ state }) => state === 'succeeded'),
    )
    tenant.tenantId = hanging
    expect(tenant.messages().filter((message) => message.startsWith('hangs'))).toHaveLength(4)
    end()
  })

  test('are taken from each endpoint in turn', async () => {
    for (let n = 0; n < 9; n += 1) await tenant.record(`a ${n}`)
    tenant.tenantId = (await createTenant(tenant.database.db, { name: 'Other' })).id
    await setEndpoint(tenant.deps, { tenantId: tenant.tenantId, url: tenant.url })
    for (let n = 0; n < 9; n += 1) await tenant.record(`b ${n}`)
    const claimed = await claimDeliveries(tenant.database.db, { limit: 6, slowLimit: 6 })
    const names = claimed
      .map(({ body }) => JSON.parse(body).data.message.slice(0, 1) as string)
      .toSorted((a, b) => a.localeCompare(b))
    expect(names).toEqual(['a', 'a', 'a', 'b', 'b', 'b'])
  })

  test.each([1, 4, 12])(
    'are taken from each tenant in turn, %i at a time, however many endpoints it has',
    async (limit) => {
      const { db } = tenant.database
      for (let n = 1; n < 4; n += 1) await addEndpoint(tenant.deps, tenant)
      for (let n = 0; n < 12; n += 1) await tenant.record(`many ${n}`)
      tenant.tenantId = (await createTenant(db, { name: 'Other' })).id
      await setEndpoint(tenant.deps, tenant)
      for (let n = 0; n < 12; n += 1) await tenant.record(`one ${n}`)
      await db`update webhook_endpoints set parallel = 64`
      const claimed: ClaimedDelivery[] = []
      while (claimed.length < 12) {
        claimed.push(...(await claimDeliveries(db, { limit, slowLimit: limit })))
      }
      const ofMany = claimed.filter(({ body }) => JSON.parse(body).data.message.startsWith('many'))
      expect(ofMany).toHaveLength(6)
      expect(new Set(ofMany.map(({ endpointId }) => endpointId)).size).toBe(4)
    },
  )

  test('are claimed as far as the process has places: the rest is free for others', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    tenant.delay = () => held
    for (let n = 0; n < 90; n += 1) await tenant.record(`n${n}`)
    const first = tenant.tenantId
    tenant.tenantId = (await createTenant(tenant.database.db, { name: 'Other' })).id
    await setEndpoint(tenant.deps, tenant)
    for (let n = 0; n < 20; n += 1) await tenant.record(`other ${n}`)
    await tenant.database.db`update webhook_endpoints set parallel = 64`
    tenant.startWorkers()
    await waitFor(() => tenant.received.length === 64)
    const leased = await tenant.database.db`
      select 1 from webhook_deliveries where lease_token is not null
    `
    expect(leased).toHaveLength(64)
    // In turn: the other one has all of its deliveries among them.
    expect(tenant.messages().filter((each) => each.startsWith('other'))).toHaveLength(20)
    tenant.tenantId = first
    letGo()
  })

  test('are claimed for endpoints with free places, even after an endpoint without any', async () => {
    for (let n = 0; n < 9; n += 1) await tenant.record(`full ${n}`)
    const all = { limit: 9, slowLimit: 9 }
    expect(await claimDeliveries(tenant.database.db, all)).toHaveLength(4)
    tenant.tenantId = (await createTenant(tenant.database.db, { name: 'Other' })).id
    await setEndpoint(tenant.deps, tenant)
    await tenant.record('next')
    await tenant.database.db`update webhook_endpoints set claimed_at = created_at`
    const claimed = await claimDeliveries(tenant.database.db, { ...all, limit: 1 })
    expect(claimed.map(({ body }) => JSON.parse(body).data.message)).toEqual(['next'])
  })

  test('to endpoints that answer slowly get a share of the places', async () => {
    for (let n = 0; n < 9; n += 1) await tenant.record(`slow ${n}`)
    await tenant.database.db`update webhook_endpoints set is_slow = true`
    expect(await claimDeliveries(tenant.database.db, { limit: 9, slowLimit: 2 })).toHaveLength(2)
  })

  test('to slow endpoints do not delay others while the share of slow ones is used up', async () => {
    await tenant.record('slow')
    await tenant.database.db`update webhook_endpoints set is_slow = true`
    tenant.tenantId = (await createTenant(tenant.database.db, { name: 'Other' })).id
    await setEndpoint(tenant.deps, tenant)
    await tenant.record('quick')
    const claimed = await claimDeliveries(tenant.database.db, { limit: 1, slowLimit: 0 })
    expect(claimed.map(({ body }) => JSON.parse(body).data.message)).toEqual(['quick'])
  })

  test('are made once each by two workers', async () => {
    for (let n = 0; n < 30; n += 1) await tenant.record(`n${n}`)
    tenant.startWorkers(2)
    await waitFor(async () =>
      (await tenant.deliveries()).every((each) => each['state'] === 'succeeded'),
    )
    expect(tenant.messages()).toHaveLength(30)
    expect(new Set(tenant.messages()).size).toBe(30)
  })

  test('of a worker that died come back when its lease is over', async () => {
    await tenant.record('orphan')
    await tenant.database.db`
      update webhook_deliveries
         set due_at = now() - interval '1 second', lease_token = gen_random_uuid()
    `
    tenant.startWorkers()
    await waitFor(() => tenant.received.length === 1)
  })
})

describe('claiming that fails', () => {
  test.each([
    ['is in the log', new DatabaseUnavailable('no connection is free'), /claiming .* failed/],
    ['is not while the database is known to be away', new DatabaseLost(), /^$/],
  ])('%s', async (_name, failure, lines) => {
    const { db, statements } = failingDatabase(tenant.database.db, failure)
    const logged = new PassThrough()
    const worker = startDeliveryWorker({ ...tenant.deps, db, log: pino(logged) })
    await waitFor(() => statements() >= 2)
    await worker.stop()
    expect(await text(logged.end())).toMatch(lines)
  })
})
