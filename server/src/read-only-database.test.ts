import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Db, json, openDb, raw } from './platform/db/db.ts'
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
/** At each API process. */
const BOOKINGS_IN_A_ROW = 12

let servers: Replicated
let way: FaultProxy
let primary: Db
let authorization: string
const processes: ServiceProcess[] = []

beforeAll(async () => {
  servers = await startReplicated()
  way = await startFaultProxy(servers.primaryUrl)
  const writes = encodeURIComponent('-c default_transaction_read_only=off')
  primary = openDb({
    url: `${servers.primaryUrl}?options=${writes}`,
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

/** The answers of each API process: one may still refuse what waited there when the other works again. */
type Statuses = readonly number[][]

const haveRecovered = (statuses: readonly number[]) =>
  statuses.slice(-BOOKINGS_IN_A_ROW).every((status) => status === 201)

/** Books at a steady rate, at each API process in turn, and keeps the statuses. */
async function keepBooking(statuses: Statuses, stop: AbortSignal): Promise<void> {
  const underWay = new Set<Promise<void>>()
  while (!stop.aborted) {
    for (let count = 0; count < BOOKINGS_TOGETHER; count += 1) {
      const at = count % statuses.length
      const { origin } = processes[at] as ServiceProcess
      const asked = book(origin)
        .then((status) => void statuses[at]?.push(status))
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

/** The worker takes a job and stores its result. The lease of one that it had before must end first. */
async function workerWorks(): Promise<void> {
  const key = randomUUID()
  const nothing = { keys: '[]' }
  await primary`
    insert into jobs (kind, key, payload) values ('delete-objects', ${key}, ${json(nothing)})
  `
  await waitFor(async () => (await primary`select 1 from jobs where key = ${key}`).length === 0)
}

interface Interruption {
  name: string
  begin: () => Promise<void>
  end: () => Promise<void>
}

/** Waits until everything works after the interruption. Returns the statuses of bookings from then on. */
async function interrupt(interruption: Interruption): Promise<Set<number>> {
  const statuses: Statuses = [[], []]
  const stopping = new AbortController()
  const booking = keepBooking(statuses, stopping.signal)
  try {
    await followInterruption(statuses, interruption)
    const before = statuses.map(({ length }) => length)
    const after = () => statuses.map((each, at) => each.slice(before[at]))
    await waitFor(() => after().every(({ length }) => length >= BOOKINGS_IN_A_ROW))
    return new Set(after().flat())
  } finally {
    stopping.abort()
    await booking
  }
}

async function followInterruption(
  statuses: Statuses,
  { name, begin, end }: Interruption,
): Promise<void> {
  await waitFor(() => statuses.every(({ length }) => length > BOOKINGS_IN_A_ROW))
  await begin()
  const areRefused = () => statuses.every((each) => each.at(-1) === 503)
  await waitFor(async () => areRefused() && !(await areReady()))
  await delay(READ_ONLY_MS)
  await end()
  const endMs = performance.now()
  const working = workerWorks()
  await waitFor(areReady)
  await waitFor(() => statuses.every(haveRecovered))
  await working
  const tookMs = Math.round(performance.now() - endMs)
  process.stdout.write(`${name}: full service ${tookMs} ms after the end\n`)
}

/** Changes a setting of the primary. Connections see it after `apply`. */
async function change(setting: string, apply: () => Promise<void>): Promise<void> {
  await primary`${raw(setting)}`
  await apply()
}

const ROLE: Interruption = {
  name: 'alter role',
  begin: () =>
    change('alter role postgres set default_transaction_read_only = on', async () => way.cut()),
  end: () => change('alter role postgres reset default_transaction_read_only', async () => {}),
}

const reload = async () => void (await primary`select pg_reload_conf()`)
const SYSTEM: Interruption = {
  name: 'alter system',
  begin: () => change('alter system set default_transaction_read_only = on', reload),
  end: () => change('alter system reset default_transaction_read_only', reload),
}

/** As a switchover does, whose connections all end, and then the way back. */
const SWITCHOVER: Interruption = {
  name: 'switchover',
  async begin() {
    way.leadTo(servers.standbyUrl)
    way.cut()
  },
  async end() {
    way.leadTo(servers.primaryUrl)
  },
}

describe('a database that only reads for a while', () => {
  test.each([SWITCHOVER, ROLE, SYSTEM])(
    'is used again by every process and connection after: $name',
    async (interruption) => {
      for (let round = 0; round < SWITCHES; round += 1) {
        expect(await interrupt(interruption)).toEqual(new Set([201]))
      }
    },
  )
})
