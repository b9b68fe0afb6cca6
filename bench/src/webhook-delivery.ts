import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { type Db, inTransaction, openDb } from '@interview-room/server/src/platform/db/db.ts'
import { createTenant } from '@interview-room/server/src/platform/tenants/create-tenant.ts'
import { insertEndpoint } from '@interview-room/server/src/platform/webhooks/endpoint-store.ts'
import { recordWebhookEvent } from '@interview-room/server/src/platform/webhooks/record-event.ts'
import { startDatabase } from './database.ts'
import { machine } from './machine.ts'
import { startProviderStub } from './provider-stub.ts'
import { startServiceProcess } from './service-process.ts'
import { quantile, round } from './statistics.ts'

/** Response times of the receivers, in milliseconds. */
const RECEIVERS_MS = [1, 150, 1_000]
/** Response time of the hanging receivers, longer than the service waits. */
const HANGING_MS = 60_000

/**
 * Measures the time from the transition to the first attempt, for slow receivers, and for a quick receiver beside
 * many that never answer.
 */
export async function measureWebhookDelivery(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '20' },
      rate: { type: 'string', default: '100' },
      hanging: { type: 'string', default: '20' },
    },
  })
  const [seconds, rate, hanging] = [values.seconds, values.rate, values.hanging].map(Number) as [
    number,
    number,
    number,
  ]
  const stage = await setStage()
  try {
    const rows = []
    for (const answerMs of RECEIVERS_MS) {
      const receivers = [await stage.addReceiver(answerMs)]
      const [times = []] = await deliver(stage.db, receivers, { seconds, rate })
      rows.push({ receiver: `${answerMs} ms`, ...figures(times) })
    }
    const alone = await stage.addReceiver(1)
    const [floor = []] = await deliver(stage.db, [alone], { seconds, rate: 10 })
    rows.push({ receiver: '1 ms, 10/s, alone', ...figures(floor) })
    const hung = await Promise.all(
      Array.from({ length: hanging }, () => stage.addReceiver(HANGING_MS)),
    )
    const [beside = []] = await deliver(stage.db, [alone, ...hung], { seconds, rate: 10 })
    rows.push({ receiver: `1 ms, 10/s, beside ${hanging} that hang`, ...figures(beside) })
    console.table(rows)
    const conditions = { seconds, rate, hanging }
    console.log(JSON.stringify({ bench: 'webhook-delivery', machine: machine(), conditions, rows }))
  } finally {
    await stage.close()
  }
}

const figures = (times: readonly number[]) => ({
  count: times.length,
  p50Ms: round(quantile(times, 0.5)),
  p99Ms: round(quantile(times, 0.99)),
})

/** A tenant's receiver, and the arrival times of its events. */
interface Receiver {
  tenantId: string
  cameMs: Map<string, number>
}

interface Stage {
  db: Db
  addReceiver(answerMs: number): Promise<Receiver>
  close(): Promise<void>
}

async function setStage(): Promise<Stage> {
  const closing = new AsyncDisposableStack()
  try {
    const database = await startDatabase({ isDurable: true })
    closing.defer(database.stop)
    const provider = await startProviderStub()
    closing.defer(provider.stop)
    const worker = await startServiceProcess(database, provider, {
      ROLE: 'worker',
      WEBHOOKS_ALLOW_PRIVATE_TARGETS: 'true',
    })
    closing.defer(worker.stop)
    const db = openDb({ url: database.url, poolSize: 8, applicationName: 'bench-events' })
    closing.defer(() => db.end())
    const servers: Server[] = []
    closing.defer(async () => {
      for (const server of servers) server.close().closeAllConnections()
    })
    return {
      db,
      async addReceiver(answerMs) {
        const receiver = { tenantId: '', cameMs: new Map<string, number>() }
        const server = createServer((request, response) => {
          const id = String(request.headers['webhook-id'])
          if (!receiver.cameMs.has(id)) receiver.cameMs.set(id, performance.now())
          request.resume()
          setTimeout(() => response.writeHead(204).end(), answerMs)
        })
        servers.push(server)
        server.listen(0, '127.0.0.1')
        await once(server, 'listening')
        const { id } = await createTenant(db, { name: 'Bench' })
        receiver.tenantId = id
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
        await inTransaction(db, (tx) => insertEndpoint(tx, { id, tenantId: id, url }))
        return receiver
      },
      close: async () => closing.disposeAsync(),
    }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

/** Transitions that are written concurrently. */
const WRITING_MAX = 64

interface Pace {
  seconds: number
  /** Events per second for each tenant. */
  rate: number
}

/** Returns the milliseconds of each receiver. It waits for the first receiver's events only. */
async function deliver(db: Db, receivers: readonly Receiver[], pace: Pace): Promise<number[][]> {
  const recorded = receivers.map(() => new Map<string, number>())
  const writing = new Set<Promise<void>>()
  const startMs = performance.now()
  const total = pace.seconds * pace.rate
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) / 1000) * pace.rate))
    for (; sent < due && writing.size < WRITING_MAX; sent += 1) {
      for (const [n, { tenantId }] of receivers.entries()) {
        const one = recordOne(db, tenantId, sent).then((id) => {
          recorded[n]?.set(id, performance.now())
          writing.delete(one)
        })
        writing.add(one)
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.all(writing)
  const [first] = receivers
  while ([...(recorded[0]?.keys() ?? [])].some((id) => !first?.cameMs.has(id))) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return receivers.map(({ cameMs }, n) =>
    [...(recorded[n] ?? [])].flatMap(([id, at]) => {
      const came = cameMs.get(id)
      return came === undefined ? [] : [came - at]
    }),
  )
}

/** Records an event of a new resource, so that no event waits for another one. */
async function recordOne(db: Db, tenantId: string, n: number): Promise<string> {
  return inTransaction(db, (tx) =>
    recordWebhookEvent(tx, {
      tenantId,
      type: 'webhook.test',
      streamKey: `${tenantId}:${performance.now()}:${n}`,
      dedupeKey: `${tenantId}:${performance.now()}:${n}`,
      occurredAt: new Date(),
      data: { message: 'bench' },
    }),
  )
}
