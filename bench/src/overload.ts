import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { startDatabase } from './database.ts'
import { type HttpConnection, openHttpConnection, requestBytes } from './http-connection.ts'
import { applyLoad } from './load.ts'
import { machine } from './machine.ts'
import { startProviderStub } from './provider-stub.ts'
import { startServiceProcess } from './service-process.ts'
import { quantile, round } from './statistics.ts'
import { makeTenant } from './tenant.ts'

/** The maximum of connections. A caller with more requests queues them, as clients do. */
const CONNECTIONS_MAX = 1_024
const CLOSED_CONNECTIONS = 16

interface Options {
  /** Multiples of the booking rate that the service can take at its best. */
  times: readonly number[]
  seconds: number
}

/**
 * Measures bookings that arrive at a fixed pace, at several multiples of what the service can take: how many are
 * accepted, how long these take, and how the rest is refused. An ordinary load follows, to see it recover.
 */
export async function measureOverload(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      times: { type: 'string', default: '0.5,1,3,4' },
      seconds: { type: 'string', default: '20' },
    },
  })
  const options = { times: values.times.split(',').map(Number), seconds: Number(values.seconds) }
  const database = await startDatabase({ isDurable: true })
  const provider = await startProviderStub()
  const service = await startServiceProcess(database, provider)
  try {
    const { apiKey } = await makeTenant(database.url, service.port)
    const authorization = `ApiKey ${apiKey}`
    const request = () =>
      requestBytes({ method: 'POST', path: '/api/v1/rooms', authorization, body: booking() })
    const load = { port: service.port, pid: service.pid, request, status: 201 }
    await applyLoad({ ...load, connections: CLOSED_CONNECTIONS, seconds: 5 })
    const peak = await applyLoad({
      ...load,
      connections: CLOSED_CONNECTIONS,
      seconds: options.seconds,
    })
    await report({ ...options, peak: peak.perSec, port: service.port, request })
  } finally {
    await service.stop()
    await provider.stop()
    await database.stop()
  }
}

function booking(): object {
  const startsAt = Date.now() + 3_600_000
  return {
    kind: 'interview',
    session: {
      external_type: 'Slot',
      external_id: randomUUID(),
      name: 'Bench',
      starts_at: new Date(startsAt).toISOString(),
      ends_at: new Date(startsAt + 3_600_000).toISOString(),
    },
  }
}

interface Run extends Options {
  peak: number
  port: number
  request: () => Buffer
}

async function report({ times, seconds, peak, port, request }: Run): Promise<void> {
  const rows = []
  // Each overload is followed immediately by an ordinary load.
  for (const time of times.flatMap((each) => (each > 1 ? [each, 0.5] : [each]))) {
    const { taken, refused, others } = await drive({ perSec: peak * time, seconds, port, request })
    rows.push({
      timesPeak: time,
      goodput: round(taken.length / seconds / peak),
      p50Ms: round(quantile(taken, 0.5)),
      p99Ms: round(quantile(taken, 0.99)),
      refused: refused.length,
      refusedP99Ms: refused.length === 0 ? 0 : round(quantile(refused, 0.99)),
      others: JSON.stringify(others),
    })
  }
  console.table(rows)
  const conditions = { seconds, peakPerSec: round(peak) }
  console.log(JSON.stringify({ bench: 'overload', machine: machine(), conditions, rows }))
}

interface Driven {
  /** Milliseconds from when the request was due, including the wait for a connection. */
  taken: number[]
  refused: number[]
  others: Record<string, number>
}

interface Pace {
  perSec: number
  seconds: number
  port: number
  request: () => Buffer
}

/** Starts each request when it is due, even if earlier ones are not finished. */
async function drive({ perSec, seconds, port, request }: Pace): Promise<Driven> {
  const driven: Driven = { taken: [], refused: [], others: {} }
  const idle: HttpConnection[] = []
  const all: HttpConnection[] = []
  const waiting: number[] = []
  let open = 0
  let left = Math.round(perSec * seconds)

  function note(status: string, ms: number): void {
    if (status === '201') driven.taken.push(ms)
    else if (status === '503') driven.refused.push(ms)
    else driven.others[status] = (driven.others[status] ?? 0) + 1
  }

  async function send(dueMs: number): Promise<void> {
    let connection = idle.pop()
    if (connection === undefined) {
      if (open >= CONNECTIONS_MAX) {
        waiting.push(dueMs)
        return
      }
      open += 1
      connection = await openHttpConnection(port)
      all.push(connection)
    }
    try {
      const { status } = await connection.exchange(request())
      note(String(status), performance.now() - dueMs)
      idle.push(connection)
    } catch {
      note('broken', 0)
      open -= 1
    }
    const next = waiting.shift()
    if (next !== undefined) void send(next)
  }

  const sending: Promise<void>[] = []
  const startMs = performance.now()
  let sent = 0
  while (left > 0) {
    const due = Math.floor(((performance.now() - startMs) / 1000) * perSec) - sent
    for (let n = 0; n < due && left > 0; n += 1) {
      sending.push(send(startMs + (sent / perSec) * 1000))
      sent += 1
      left -= 1
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.allSettled(sending)
  while (waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  for (const connection of all) connection.close()
  return driven
}
