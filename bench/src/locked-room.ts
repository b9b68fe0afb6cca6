import { parseArgs } from 'node:util'
import { inTransaction, openDb } from '@interview-room/server/src/platform/db/db.ts'
import { startDatabase } from './database.ts'
import { openHttpConnection, requestBytes } from './http-connection.ts'
import { newMessage } from './live-stream/message.ts'
import { machine } from './machine.ts'
import { startProviderStub } from './provider-stub.ts'
import { startServiceProcess } from './service-process.ts'
import { quantile, round } from './statistics.ts'
import { type BenchTenant, enterRoom, livePath, makeTenant } from './tenant.ts'

/** One kind of request to measure. The pause keeps it within the rate limits of a person. */
interface Act {
  pauseMs: number
  request: () => Buffer
}
type Name = 'another room is read' | 'a message in another room'

/**
 * Measures how a locked room slows down others. The row of one room is locked while many write there; reads and
 * messages of another room are timed then, and again without the lock.
 */
export async function measureLockedRoom(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '10' },
      writers: { type: 'string', default: '24' },
    },
  })
  const [seconds, writers] = [Number(values.seconds), Number(values.writers)]
  const database = await startDatabase({ isDurable: true })
  const provider = await startProviderStub()
  const { port, stop } = await startServiceProcess(database, provider)
  try {
    const tenant = await makeTenant(database.url, port)
    const stage = { port, tenant, url: database.url }
    const other = await tenant.caller.book()
    const acts = await actsOf(stage, other.id)
    await timeActs(stage, acts, 2)
    const quiet = await timeActs(stage, acts, seconds)
    const letGo = await lockRoom(stage, writers)
    const locked = await timeActs(stage, acts, seconds)
    await letGo()
    report({ quiet, locked }, { seconds, writers })
  } finally {
    await stop()
    await provider.stop()
    await database.stop()
  }
}

interface Stage {
  port: number
  tenant: BenchTenant
  url: string
}

type Times = Record<Name, number[]>

async function actsOf({ port, tenant }: Stage, roomId: string): Promise<Record<Name, Act>> {
  const ticket = await enterRoom(tenant, { port, roomId, role: 'panelist', name: 'Other' })
  const read = requestBytes({
    method: 'GET',
    path: `/api/v1/rooms/${roomId}`,
    authorization: `ApiKey ${tenant.apiKey}`,
  })
  return {
    'another room is read': { pauseMs: 20, request: () => read },
    'a message in another room': { pauseMs: 400, request: () => messageBytes(roomId, ticket) },
  }
}

function messageBytes(roomId: string, authorization: string): Buffer {
  const path = `${livePath(roomId)}/messages`
  return requestBytes({ method: 'POST', path, authorization, body: newMessage(['接', 40]) })
}

/** Runs the acts in parallel, each with one request after the other. */
async function timeActs({ port }: Stage, acts: Record<Name, Act>, seconds: number): Promise<Times> {
  const end = performance.now() + seconds * 1000
  const time = async ({ request, pauseMs }: Act): Promise<number[]> => {
    const connection = await openHttpConnection(port)
    const times: number[] = []
    while (performance.now() < end) {
      const fromMs = performance.now()
      const { status, body } = await connection.exchange(request())
      times.push(performance.now() - fromMs)
      if (status >= 300) throw new Error(`${status} ${body}`)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    connection.close()
    return times
  }
  const entries = Object.entries(acts).map(async ([name, act]) => [name, await time(act)] as const)
  return Object.fromEntries(await Promise.all(entries)) as Times
}

/**
 * Locks the room's row in another transaction and lets that many people keep posting there. Returns a function that
 * ends it.
 */
async function lockRoom(stage: Stage, writers: number): Promise<() => Promise<void>> {
  const { port, tenant, url } = stage
  const { id: roomId } = await tenant.caller.book()
  const tickets = await Promise.all(
    Array.from({ length: writers }, (_, n) =>
      enterRoom(tenant, { port, roomId, role: 'panelist', name: `Writer ${n}` }),
    ),
  )
  const holder = openDb({
    url,
    poolSize: 1,
    statementTimeoutMs: 0,
    applicationName: 'bench-holder',
  })
  const [isLocked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = inTransaction(holder, async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select 1 from rooms where id = ${roomId} for update`
    isLocked.resolve()
    await letGo.promise
  })
  await isLocked.promise
  const ending = new AbortController()
  const writing = tickets.map(async (ticket) => {
    const connection = await openHttpConnection(port)
    // Requests are refused while the room is locked, and these clients retry as pages do.
    while (!ending.signal.aborted) await connection.exchange(messageBytes(roomId, ticket))
    connection.close()
  })
  return async () => {
    ending.abort()
    letGo.resolve()
    await Promise.all([holding, ...writing])
    await holder.end()
  }
}

function report(
  { quiet, locked }: { quiet: Times; locked: Times },
  conditions: Record<string, number>,
): void {
  const rows = (Object.keys(quiet) as Name[]).map((name) => ({
    what: name,
    quietP50Ms: round(quantile(quiet[name], 0.5)),
    lockedP50Ms: round(quantile(locked[name], 0.5)),
    p50ToQuiet: round(quantile(locked[name], 0.5) / quantile(quiet[name], 0.5)),
    quietP99Ms: round(quantile(quiet[name], 0.99)),
    lockedP99Ms: round(quantile(locked[name], 0.99)),
  }))
  console.table(rows)
  console.log(JSON.stringify({ bench: 'held-room', machine: machine(), conditions, rows }))
}
