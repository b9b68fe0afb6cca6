import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { runInTrace } from '../lib/trace.ts'
import { createTenant } from '../tenants/create-tenant.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createTestDeps } from '../testing/deps.ts'
import { waitFor } from '../testing/wait-for.ts'
import { type DeliveryWorker, startDeliveryWorker } from './delivery-worker.ts'
import { redeliverWebhooks } from './manage-webhooks.ts'
import { recordWebhookEvent } from './record-event.ts'
import { rotateSecret, setEndpoint } from './set-endpoint.ts'

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
      response.writeHead(answer.status, answer.headers).end('thank you')
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
  tenantId = (await createTenant(database.db, { name: 'T' })).id
  secret = (await setEndpoint(deps, { tenantId, url })).secret
})

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await database.db`delete from webhook_endpoints`
})

async function tell(name: string, stream = name): Promise<void> {
  await inTransaction(database.db, (tx) =>
    recordWebhookEvent(tx, {
      tenantId,
      type: 'webhook.test',
      streamKey: stream,
      dedupeKey: name,
      occurredAt: new Date(),
      data: { message: name },
    }),
  )
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

async function makeDue(): Promise<void> {
  await database.db`update webhook_deliveries set due_at = clock_timestamp()`
  await database.db`update webhook_endpoints set next_probe_at = clock_timestamp() where next_probe_at is not null`
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
    await redeliverWebhooks(deps, { tenantId, eventId, since: undefined, until: undefined })
    await waitFor(async () => (await deliveries())[0]?.['state'] === 'succeeded')
  })
})

describe('deliveries', () => {
  test('of one resource keep their order while the older one is young', async () => {
    answer = { status: 500 }
    await tell('first', 'same')
    startWorkers()
    await waitFor(() => received.length === 1)
    await tell('second', 'same')
    await tell('other')
    await waitFor(() => messages().includes('other'))
    expect(messages()).not.toContain('second')

    answer = { status: 200 }
    await makeDue()
    await waitFor(() => messages().includes('second'))
    expect(messages().lastIndexOf('first')).toBeLessThan(messages().indexOf('second'))
  })

  test('of one resource pass an older one that has failed for eight minutes', async () => {
    answer = { status: 500 }
    await tell('stuck', 'same')
    await database.db`update webhook_deliveries set created_at = now() - interval '9 minutes', due_at = now() + interval '1 hour'`
    await tell('next', 'same')
    startWorkers()
    await waitFor(() => messages().includes('next'))
    expect(messages()).not.toContain('stuck')
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
         set lease_until = now() - interval '1 second', lease_token = gen_random_uuid()
    `
    startWorkers()
    await waitFor(() => received.length === 1)
  })
})

describe('the breaker', () => {
  test('opens after five failures, probes without spending attempts, and drains after a success', async () => {
    answer = { status: 500 }
    await database.db`update webhook_endpoints set consecutive_failures = 4`
    await tell('a')
    startWorkers()
    await waitFor(async () => {
      const [endpoint] = await database.db`select next_probe_at from webhook_endpoints`
      return endpoint?.['next_probe_at'] !== null
    })
    for (const name of ['b', 'c', 'd']) await tell(name)
    const attempts = (await deliveries()).map((each) => each['attempt'])
    expect(received).toHaveLength(1)

    await makeDue()
    await waitFor(() => received.length === 2)
    await waitFor(async () => {
      const [endpoint] = await database.db`select consecutive_failures from webhook_endpoints`
      return endpoint?.['consecutive_failures'] === 6
    })
    expect((await deliveries()).map((each) => each['attempt'])).toEqual(attempts)

    answer = { status: 200 }
    await makeDue()
    await waitFor(async () => (await deliveries()).every((each) => each['state'] === 'succeeded'))
    expect(new Set(messages())).toEqual(new Set(['a', 'b', 'c', 'd']))
  })
})
