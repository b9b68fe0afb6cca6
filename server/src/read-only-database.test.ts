import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Db, openDb, raw } from './platform/db/db.ts'
import { createTenant } from './platform/tenants/create-tenant.ts'
import { issueApiKey } from './platform/tenants/issue-api-key.ts'
import { TEST_TIMEOUTS } from './testing/database.ts'
import { type FaultProxy, startFaultProxy } from './testing/fault-proxy.ts'
import { type ServiceProcess, startServiceProcess } from './testing/service-process.ts'
import { type Replicated, startReplicated } from './testing/standby.ts'
import { booking } from './testing/tenant-client.ts'
import { waitFor } from './testing/wait-for.ts'

/** Switches to the server that only reads, and back; ten in the long run. */
const SWITCHES = Number(process.env['SWITCHES_TO_STANDBY'] ?? 1)
const READ_ONLY_MS = SWITCHES > 1 ? 5_000 : 2_000
/** Together, so that every connection of both processes is used: each has four for requests. */
const BOOKINGS_TOGETHER = 12
const BOOK_EVERY_MS = 300
const BOOKINGS_IN_A_ROW = 24

let servers: Replicated
let way: FaultProxy
let primary: Db
let authorization: string
const processes: ServiceProcess[] = []

beforeAll(async () => {
  servers = await startReplicated()
  way = await startFaultProxy(servers.primaryUrl)
  primary = openDb({
    url: servers.primaryUrl,
    poolSize: 2,
    applicationName: 'tests',
    ...TEST_TIMEOUTS,
  })
  // Has a simulated media provider.
  const { id: tenantId } = await createTenant(primary, { name: 'T', isSandbox: true })
  authorization = `ApiKey ${(await issueApiKey(primary, { tenantId, note: null })).apiKey}`
  for (const role of ['api', 'api', 'worker'] as const) {
    processes.push(await startServiceProcess({ databaseUrl: way.url, role }))
  }
})

afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop('SIGKILL')))
  await primary?.end()
  await way?.close()
  await servers?.stop()
})

/** Books at a steady rate, at each API process in turn, and keeps the statuses. */
async function keepBooking(statuses: number[], stop: AbortSignal): Promise<void> {
  const underWay = new Set<Promise<void>>()
  while (!stop.aborted) {
    for (let count = 0; count < BOOKINGS_TOGETHER; count += 1) {
      const { origin } = processes[count % 2] as ServiceProcess
      const asked = book(origin)
        .then((status) => void statuses.push(status))
        .finally(() => underWay.delete(asked))
      underWay.add(asked)
    }
    await delay(BOOK_EVERY_MS)
  }
  await Promise.all(underWay)
}

async function book(origin: string): Promise<number> {
  const answer = await fetch(`${origin}/api/v1/rooms`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(booking()),
  })
  await answer.arrayBuffer()
  return answer.status
}

async function areReady(): Promise<boolean> {
  const answers = await Promise.all(
    processes.map(async ({ operations }) => {
      const answer = await fetch(`${operations}/health/ready`)
      await answer.arrayBuffer()
      return answer.status
    }),
  )
  return answers.every((status) => status === 200)
}

/** The worker takes a job and stores its result. */
async function workerWorks(): Promise<void> {
  const [row] = await primary<{ at: Date }[]>`
    update jobs set due_at = clock_timestamp() where kind = 'sweep-jobs'
    returning clock_timestamp() as at
  `
  await waitFor(async () => {
    const rows = await primary`
      select 1 from jobs where kind = 'sweep-jobs' and succeeded_at > ${row?.at ?? null}
    `
    return rows.length === 1
  })
}

interface Interruption {
  begin(): Promise<void>
  end(): Promise<void>
}

/** The milliseconds from the end of the interruption until everything works. */
async function interrupt({ begin, end }: Interruption): Promise<number> {
  const statuses: number[] = []
  const stopping = new AbortController()
  const booking = keepBooking(statuses, stopping.signal)
  try {
    return await followInterruption(statuses, { begin, end })
  } finally {
    stopping.abort()
    await booking
  }
}

async function followInterruption(
  statuses: readonly number[],
  { begin, end }: Interruption,
): Promise<number> {
  await waitFor(() => statuses.length > BOOKINGS_IN_A_ROW)
  await begin()
  await waitFor(async () => statuses.at(-1) === 503 && !(await areReady()))
  await delay(READ_ONLY_MS)
  await end()
  const endMs = performance.now()
  const working = workerWorks()
  await waitFor(areReady)
  await waitFor(() => statuses.slice(-BOOKINGS_IN_A_ROW).every((status) => status === 201))
  await working
  const tookMs = performance.now() - endMs
  const answered = statuses.length
  // Nothing is refused any more, by no connection of either process.
  await waitFor(() => statuses.length >= answered + BOOKINGS_IN_A_ROW)
  expect(new Set(statuses.slice(answered))).toEqual(new Set([201]))
  return tookMs
}

describe('a database that only reads for a while', () => {
  test('is used again, with all connections, when DATABASE_URL leads to the primary', async () => {
    for (let round = 0; round < SWITCHES; round += 1) {
      const tookMs = await interrupt({
        async begin() {
          way.leadTo(servers.standbyUrl)
          way.cut()
        },
        async end() {
          way.leadTo(servers.primaryUrl)
        },
      })
      console.log(`full service ${Math.round(tookMs)} ms after the return`)
    }
  })

  test.each([
    ['the role', 'alter role postgres', async () => way.cut()],
    ['the server', 'alter system', async () => void (await primary`select pg_reload_conf()`)],
  ])('is used again after the setting of %s is reset', async (which, alter, apply) => {
    for (let round = 0; round < SWITCHES; round += 1) {
      const change = async (to: string) => {
        await primary`set default_transaction_read_only = off`
        await primary`${raw(`${alter} ${to}`)}`
      }
      const tookMs = await interrupt({
        async begin() {
          await change('set default_transaction_read_only = on')
          await apply()
        },
        async end() {
          await change('reset default_transaction_read_only')
          if (alter === 'alter system') await apply()
        },
      })
      console.log(`full service ${Math.round(tookMs)} ms after the reset for ${which}`)
    }
  })

  test('is asked by the same processes all the time', () => {
    for (const { output } of processes) expect(output()).not.toMatch(/"level":60|uncaught/)
  })
})
