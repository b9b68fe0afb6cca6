import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { runInTrace } from '../lib/trace.ts'
import { createTenant } from '../tenants/create-tenant.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createTestDeps } from '../testing/deps.ts'
import { waitFor } from '../testing/wait-for.ts'
import { type DeliveryWorker, startDeliveryWorker } from './delivery-worker.ts'
import {
  countRedelivery,
  pauseWebhooks,
  redeliverWebhooks,
  removeWebhooks,
  resumeWebhooks,
  skipWebhook,
  testWebhooks,
} from './manage-webhooks.ts'
import { recordWebhookEvent } from './record-event.ts'
import { rotateSecret, setEndpoint } from './set-endpoint.ts'
import {
  claimDeliveries,
  type Endpoint,
  findEndpoint,
  makeForgottenDue,
  type Redelivery,
} from './store.ts'

interface Received {
  body: string
  headers: IncomingHttpHeaders
}

let database: TestDatabase
let deps: Deps
let server: Server
let url: string
let received: Received[]
/** What the receiver answers: a status, with headers. */
let answer: { status: number; headers?: Record<string, string> }
/** Messages that are answered with 422, whatever the others are. */
const refused = new Set<string>()
/** Until it has settled, a message is not answered. */
let hold: (message: string) => Promise<void>
let workers: DeliveryWorker[]
let tenantId: string
let secret: string

beforeAll(async () => {
  database = await createTestDatabase()
  deps = createTestDeps({ db: database.db })
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ body, headers: request.headers })
      const { message } = JSON.parse(body).data
      const { status, headers } = refused.has(message) ? { status: 422 } : answer
      void hold(message).then(() => response.writeHead(status, headers).end('thank you'))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  url = `http://127.0.0.1:${address.port}/hooks`
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await database.drop()
})

beforeEach(async () => {
  received = []
  workers = []
  answer = { status: 204 }
  refused.clear()
  hold = async () => {}
  tenantId = (await createTenant(database.db, { name: 'T' })).id
  secret = (await setEndpoint(deps, { tenantId, url })).secret
})

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await database.db`delete from webhook_endpoints`
})

async function tell(name: string, stream = name): Promise<void> {
  await inTransaction(database.db, (tx) => tellIn(tx, name, stream))
}

async function tellIn(tx: Tx, name: string, stream: string): Promise<void> {
  await recordWebhookEvent(tx, {
    tenantId,
    type: 'webhook.test',
    streamKey: stream,
    dedupeKey: name,
    occurredAt: new Date(),
    data: { message: name },
  })
}

const wanted = (some: Partial<Redelivery>): Redelivery => ({
  tenantId,
  eventId: undefined,
  type: undefined,
  since: undefined,
  until: undefined,
  ...some,
})

async function endpoint(): Promise<Endpoint> {
  const found = await findEndpoint(database.db, tenantId)
  if (found === undefined) throw new Error('the tenant has no endpoint')
  return found
}

function startWorkers(count = 1): void {
  for (let n = 0; n < count; n += 1) workers.push(startDeliveryWorker(deps))
}

function messages(): string[] {
  return received.map(({ body }) => JSON.parse(body).data.message)
}

async function deliveries() {
  return database.db`
    select d.* from webhook_deliveries d join webhook_events e on e.id = d.event_id
     where e.tenant_id = ${tenantId} order by d.id
  `
}

/** As after the pauses of all that waits for a later attempt. */
async function makeDue(): Promise<void> {
  await database.db`
    update webhook_deliveries set due_at = created_at
     where due_at is not null and lease_token is null
  `
  await database.db`update webhook_endpoints set next_probe_at = clock_timestamp() where next_probe_at is not null`
  await database.db`select pg_notify('webhook_deliveries', '')`
}

describe('a webhook', () => {
  test('carries signatures that the public package verifies, under the id of its body', async () => {
    await tell('hello')
    startWorkers()
    await waitFor(() => received.length === 1)
    const [{ body, headers } = { body: '', headers: {} }] = received
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      id: headers['webhook-id'],
      version: '1',
      type: 'webhook.test',
    })
    await waitFor(async () => (await deliveries())[0]?.['state'] === 'succeeded')
  })

  test('is signed by the old secret and the new one while a secret rotates', async () => {
    const rotated = await rotateSecret(deps, { tenantId, now: new Date() })
    await tell('both')
    startWorkers()
    await waitFor(() => received.length === 1)
    const { body, headers } = received[0] as Received
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2)
    for (const each of [secret, rotated?.secret ?? '']) {
      expect(() => new Webhook(each).verify(body, headers as Record<string, string>)).not.toThrow()
    }
  })

  test('goes on with the trace of the request that made it true', async () => {
    const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    await runInTrace(trace, () => tell('traced'))
    await tell('untraced')
    startWorkers()
    await waitFor(() => received.length === 2)
    const traces = received.map(({ body, headers }) => [
      JSON.parse(body).data.message,
      headers['traceparent'],
    ])
    expect(Object.fromEntries(traces)).toEqual({ traced: trace, untraced: undefined })
  })

  test('is recorded once per transition', async () => {
    await tell('once')
    await tell('once')
    expect(await deliveries()).toHaveLength(1)
  })

  test('of a rolled-back transaction was never told', async () => {
    await expect(
      inTransaction(database.db, async (tx) => {
        await recordWebhookEvent(tx, {
          tenantId,
          type: 'webhook.test',
          streamKey: 's',
          dedupeKey: 'rolled back',
          occurredAt: new Date(),
          data: { message: 'never' },
        })
        throw new Error('undo')
      }),
    ).rejects.toThrow('undo')
    expect(await deliveries()).toHaveLength(0)
  })

  test('is sent again with the same id and bytes after a failure', async () => {
    answer = { status: 500 }
    await tell('again')
    startWorkers()
    await waitFor(async () => (await deliveries())[0]?.['attempt'] === 1)
    const [delivery] = await deliveries()
    const pauseMs = new Date(delivery?.['due_at']).getTime() - Date.now()
    expect(pauseMs).toBeGreaterThan(0)
    expect(pauseMs).toBeLessThanOrEqual(6000)

    answer = { status: 200 }
    await makeDue()
    await waitFor(() => received.length === 2)
    expect(received[1]?.body).toBe(received[0]?.body)
    expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id'])
  })

  test('waits as long as the receiver asks for', async () => {
    answer = { status: 429, headers: { 'retry-after': '3600' } }
    await tell('later')
    startWorkers()
    await waitFor(async () => (await deliveries())[0]?.['attempt'] === 1)
    const [delivery] = await deliveries()
    const pauseMs = new Date(delivery?.['due_at']).getTime() - Date.now()
    expect(pauseMs).toBeGreaterThan(3_500_000)
  })

  test('does not follow a redirect', async () => {
    answer = { status: 307, headers: { location: `${url}/elsewhere` } }
    await tell('stay')
    startWorkers()
    await waitFor(async () => (await deliveries())[0]?.['last_status'] === 307)
    expect(received).toHaveLength(1)
  })

  test('ends the use of an endpoint that answers 410, and is kept', async () => {
    answer = { status: 410 }
    await tell('gone')
    startWorkers()
    await waitFor(async () => {
      const [endpoint] = await database.db`select state from webhook_endpoints`
      return endpoint?.['state'] === 'gone'
    })
    expect((await deliveries())[0]?.['state']).toBe('pending')
  })

  test('is given up after twelve attempts and can still be sent by the operator', async () => {
    await tell('last')
    await database.db`update webhook_deliveries set attempt = 11`
    answer = { status: 500 }
    startWorkers()
    await waitFor(async () => (await deliveries())[0]?.['state'] === 'failed')

    answer = { status: 200 }
    const eventId = String((await deliveries())[0]?.['event_id'])
    const { outcome } = await redeliverWebhooks(deps, wanted({ eventId }), await endpoint())
    expect(outcome).toMatchObject({ eventId, status: 200, errorClass: null })
    await waitFor(async () => (await deliveries())[0]?.['state'] === 'succeeded')
  })
})

describe('deliveries', () => {
  test('of one resource keep their order, however old the first one is', async () => {
    answer = { status: 500 }
    await tell('first', 'same')
    startWorkers()
    await waitFor(() => received.length === 1)
    await database.db`update webhook_deliveries set created_at = now() - interval '6 days'`
    await tell('second', 'same')
    await tell('other')
    await waitFor(() => messages().includes('other'))
    expect(messages()).not.toContain('second')

    answer = { status: 200 }
    await makeDue()
    await waitFor(() => messages().includes('second'))
    expect(messages().lastIndexOf('first')).toBeLessThan(messages().indexOf('second'))
  })

  test('of one resource pass one that was refused for eight minutes, and that one goes on by itself', async () => {
    refused.add('stuck')
    await tell('stuck', 'same')
    await tell('next', 'same')
    await database.db`update webhook_deliveries set attempt = 4 where due_at is not null`
    startWorkers()
    await waitFor(() => messages().includes('next'))
    const [stuck] = await deliveries()
    expect(stuck).toMatchObject({
      state: 'pending',
      attempt: 5,
      attempts_made: 1,
      last_status: 422,
    })
    expect(stuck?.['parked_at']).not.toBeNull()

    refused.clear()
    await makeDue()
    await waitFor(async () => (await deliveries()).every(({ state }) => state === 'succeeded'))
  })

  test('of one resource go on behind one that the operator skips', async () => {
    refused.add('stuck')
    await tell('stuck', 'same')
    await tell('next', 'same')
    startWorkers()
    await waitFor(() => received.length === 1)
    await waitFor(async () => (await deliveries())[0]?.['lease_token'] === null)
    const [{ event_id: eventId } = { event_id: '' }] = await deliveries()
    const { id: endpointId } = await endpoint()
    expect(await skipWebhook(deps, { endpointId, eventId })).toBe(true)
    await waitFor(() => messages().includes('next'))
    expect(await skipWebhook(deps, { endpointId, eventId })).toBe(false)
  })

  test('of one resource that were recorded at the same moment are all made', async () => {
    await database.db.begin(async (one) => {
      await tellIn(one, 'one', 'same')
      // Not seen by the other, and not seeing it.
      await tell('two', 'same')
    })
    startWorkers()
    await waitFor(async () => (await deliveries()).every(({ state }) => state === 'succeeded'))
    expect(messages().toSorted()).toEqual(['one', 'two'])
  })

  test('that nobody would call are called by the sweep', async () => {
    await tell('left')
    await database.db`update webhook_deliveries set due_at = null`
    startWorkers()
    expect(await makeForgottenDue(database.db)).toBe(1)
    await waitFor(() => messages().includes('left'))
  })

  test('of many resources are on their way side by side, more and more, and one for each resource', async () => {
    await database.db`update webhook_endpoints set parallel = 16`
    let together = 0
    let most = 0
    const streams = new Set<string>()
    hold = async (message) => {
      const stream = message.split(' ')[0] ?? ''
      expect(streams.has(stream)).toBe(false)
      streams.add(stream)
      together += 1
      most = Math.max(most, together)
      await waitFor(() => most >= 16)
      streams.delete(stream)
      together -= 1
    }
    for (let n = 0; n < 48; n += 1) await tell(`s${n % 24} ${n}`, `s${n % 24}`)
    startWorkers(2)
    await waitFor(async () => (await deliveries()).every(({ state }) => state === 'succeeded'))
    expect(most).toBeGreaterThanOrEqual(16)
    const [row] = await database.db`select parallel from webhook_endpoints`
    expect(row?.['parallel']).toBeGreaterThan(16)
    for (let n = 0; n < 24; n += 1) {
      const first = messages().indexOf(`s${n} ${n}`)
      expect(first).toBeLessThan(messages().indexOf(`s${n} ${n + 24}`))
    }
  })

  test('to others are made while an endpoint hangs', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    hold = async (message) => {
      if (message.startsWith('hangs')) await isOver
    }
    for (let n = 0; n < 20; n += 1) await tell(`hangs ${n}`)
    startWorkers()
    await waitFor(() => received.length === 4)
    const hanging = tenantId
    tenantId = (await createTenant(database.db, { name: 'Other' })).id
    await setEndpoint(deps, { tenantId, url })
    for (let n = 0; n < 20; n += 1) await tell(`well ${n}`)
    await waitFor(async () => (await deliveries()).every(({ state }) => state === 'succeeded'))
    tenantId = hanging
    expect(messages().filter((message) => message.startsWith('hangs'))).toHaveLength(4)
    end()
  })

  test('are taken from each endpoint in turn', async () => {
    for (let n = 0; n < 9; n += 1) await tell(`a ${n}`)
    tenantId = (await createTenant(database.db, { name: 'Other' })).id
    await setEndpoint(deps, { tenantId, url })
    for (let n = 0; n < 9; n += 1) await tell(`b ${n}`)
    const claimed = await claimDeliveries(database.db, { limit: 6, slowLimit: 6 })
    const names = claimed.map(({ body }) => JSON.parse(body).data.message.slice(0, 1)).toSorted()
    expect(names).toEqual(['a', 'a', 'a', 'b', 'b', 'b'])
  })

  test('to endpoints that answer slowly get a share of the places', async () => {
    for (let n = 0; n < 9; n += 1) await tell(`slow ${n}`)
    await database.db`update webhook_endpoints set is_slow = true`
    expect(await claimDeliveries(database.db, { limit: 9, slowLimit: 2 })).toHaveLength(2)
  })

  test('are made once each by two workers', async () => {
    for (let n = 0; n < 30; n += 1) await tell(`n${n}`)
    startWorkers(2)
    await waitFor(async () => (await deliveries()).every((each) => each['state'] === 'succeeded'))
    expect(messages()).toHaveLength(30)
    expect(new Set(messages()).size).toBe(30)
  })

  test('of a worker that died come back when its lease is over', async () => {
    await tell('orphan')
    await database.db`
      update webhook_deliveries
         set due_at = now() - interval '1 second', lease_token = gen_random_uuid()
    `
    startWorkers()
    await waitFor(() => received.length === 1)
  })
})

const failuresNow = async () => {
  const [row] = await database.db`
    select consecutive_failures as failures, next_probe_at is not null as "isOpen"
      from webhook_endpoints where tenant_id = ${tenantId}
  `
  return row
}

describe('the breaker', () => {
  test('opens after five failures of several events, counts its probes, and drains after a success', async () => {
    answer = { status: 500 }
    await database.db`
      update webhook_endpoints
         set consecutive_failures = 4, failed_events = 1, failed_event_id = 'evt_before'
    `
    await tell('a')
    startWorkers()
    await waitFor(async () => (await failuresNow())?.['isOpen'] === true)
    for (const name of ['b', 'c', 'd']) await tell(name)
    expect(received).toHaveLength(1)

    await makeDue()
    // The oldest and the newest.
    await waitFor(() => received.length === 3)
    expect(messages()).toEqual([
      'a',
      expect.stringMatching(/^[ad]$/),
      expect.stringMatching(/^[ad]$/),
    ])
    await waitFor(async () => (await failuresNow())?.['failures'] === 7)
    const made = (await deliveries()).map(({ attempt, attempts_made }) => [attempt, attempts_made])
    expect(made).toEqual([
      [1, 2],
      [0, 0],
      [0, 0],
      [0, 1],
    ])

    answer = { status: 200 }
    await makeDue()
    await waitFor(async () => (await deliveries()).every((each) => each['state'] === 'succeeded'))
    expect(new Set(messages())).toEqual(new Set(['a', 'b', 'c', 'd']))
  })

  test('stays closed while one event is refused and all others are taken', async () => {
    refused.add('poison')
    await tell('poison', 'room')
    startWorkers()
    for (let attempts = 1; attempts <= 7; attempts += 1) {
      await waitFor(async () => {
        const [poison] = await deliveries()
        return poison?.['attempts_made'] === attempts && poison['lease_token'] === null
      })
      await makeDue()
    }
    for (let n = 0; n < 20; n += 1) await tell(`good ${n}`)
    await waitFor(() => messages().filter((each) => each.startsWith('good')).length === 20)
    expect(await failuresNow()).toEqual({ failures: 0, isOpen: false })
  })

  test('stays closed while one event alone is answered with 500', async () => {
    answer = { status: 500 }
    await tell('alone')
    startWorkers()
    for (let attempts = 1; attempts <= 6; attempts += 1) {
      await waitFor(async () => {
        const [alone] = await deliveries()
        return alone?.['attempt'] === attempts && alone['lease_token'] === null
      })
      await makeDue()
    }
    expect((await failuresNow())?.['isOpen']).toBe(false)
  })

  test('opens for a receiver that cannot be reached, and a test by the operator probes it at once', async () => {
    await database.db`
      update webhook_endpoints
         set consecutive_failures = 9, failed_events = 3, next_probe_at = now() + interval '1 hour'
    `
    await tell('waits')
    startWorkers()
    expect(await testWebhooks(deps, await endpoint())).toMatchObject({
      status: 204,
      errorClass: null,
    })
    await waitFor(() => messages().includes('waits'))
    expect(await failuresNow()).toEqual({ failures: 0, isOpen: false })
  })

  test('is closed by the operator, who sees the first answer', async () => {
    answer = { status: 503 }
    await database.db`
      update webhook_endpoints
         set consecutive_failures = 9, failed_events = 3, next_probe_at = now() + interval '1 hour'
    `
    await tell('waits')
    startWorkers()
    const { pending, outcome } = await resumeWebhooks(deps, await endpoint())
    expect(pending).toBe(1)
    expect(outcome).toMatchObject({ status: 503, errorClass: 'http_503' })
  })
})

describe('an outage of six days', () => {
  test('is made up for, in order within each resource', async () => {
    await database.db`
      update webhook_endpoints
         set consecutive_failures = 300, failed_events = 9, next_probe_at = now() + interval '1 minute'
    `
    for (let n = 0; n < 200; n += 1) await tell(`r${n % 20} ${n}`, `r${n % 20}`)
    await database.db`
      update webhook_deliveries
         set created_at = created_at - interval '6 days', due_at = due_at - interval '6 days'
    `
    startWorkers(2)
    await makeDue()
    await waitFor(async () => (await deliveries()).every(({ state }) => state === 'succeeded'))
    expect(received).toHaveLength(200)
    for (let of = 0; of < 20; of += 1) {
      const numbers = messages()
        .filter((each) => each.startsWith(`r${of} `))
        .map((each) => Number(each.split(' ')[1]))
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    }
  })
})

describe('an endpoint', () => {
  test('that is paused gets nothing until it is resumed', async () => {
    await pauseWebhooks(deps, await endpoint())
    await tell('later')
    startWorkers()
    expect(await claimDeliveries(database.db, { limit: 9, slowLimit: 9 })).toEqual([])
    await resumeWebhooks(deps, await endpoint())
    expect(messages()).toEqual(['later'])
  })

  test('that is removed gets nothing any more, and what waited is cancelled', async () => {
    await tell('before')
    expect(await removeWebhooks(deps, await endpoint())).toEqual({ cancelled: 1 })
    await tell('after')
    expect((await deliveries()).map(({ state }) => state)).toEqual(['cancelled'])
  })
})

describe('a redelivery', () => {
  test('sends what was told before there was an endpoint, in order within a resource', async () => {
    await database.db`delete from webhook_endpoints where tenant_id = ${tenantId}`
    for (let n = 0; n < 6; n += 1) await tell(`r${n % 2} ${n}`, `r${n % 2}`)
    await setEndpoint(deps, { tenantId, url })
    const since = new Date(0)
    expect(await countRedelivery(deps, wanted({ since }))).toBe(6)
    startWorkers()
    const { queued } = await redeliverWebhooks(deps, wanted({ since }), await endpoint())
    expect(queued).toBe(6)
    await waitFor(() => received.length === 6)
    for (const of of ['r0', 'r1']) {
      const numbers = messages()
        .filter((each) => each.startsWith(of))
        .map((each) => Number(each.slice(3)))
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    }
  })

  test('takes events of one type', async () => {
    await tell('told')
    const since = new Date(0)
    const none = wanted({ since, type: 'recording.status_changed' })
    expect(await countRedelivery(deps, none)).toBe(0)
    expect(await countRedelivery(deps, wanted({ since, type: 'webhook.test' }))).toBe(1)
  })
})
