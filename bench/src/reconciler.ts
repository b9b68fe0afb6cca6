import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import {
  type ReconcileDeps,
  reconcileRoomsJob,
} from '@interview-room/server/src/domain/room-end/reconcile-rooms.job.ts'
import { reconcileJob } from '@interview-room/server/src/domain/room-end/reconcile.job.ts'
import { listWatchedRooms } from '@interview-room/server/src/domain/room-end/store.ts'
import { loadConfig } from '@interview-room/server/src/platform/config/config.ts'
import { type Db, inTransaction, openDb } from '@interview-room/server/src/platform/db/db.ts'
import { migrate } from '@interview-room/server/src/platform/db/migrate.ts'
import { claimJobs } from '@interview-room/server/src/platform/jobs/claim-store.ts'
import { runLeased } from '@interview-room/server/src/platform/jobs/run-leased.ts'
import { systemClock } from '@interview-room/server/src/platform/lib/clock.ts'
import { createLivekitMedia } from '@interview-room/server/src/platform/media/livekit/livekit-media.ts'
import { createTenant } from '@interview-room/server/src/platform/tenants/create-tenant.ts'
import { createTestDeps } from '@interview-room/server/src/testing/deps.ts'
import { type Database, startDatabase } from './database.ts'
import { machine } from './machine.ts'
import { quantile, round } from './statistics.ts'

const STATEMENT_TIMEOUT_MS = 1_800_000
const NAMES_PER_CALL = 100
/** The concurrency of the workers of one process. */
const SIDE_BY_SIDE = 2
const LEASE_SEC = 600
const PAUSE_SEC = 10

/**
 * Measures the cost of finding the rooms that need attention, for a growing number of past rooms. Then measures a
 * pass over booked, empty rooms down to its calls of the provider.
 */
export async function measureReconciler(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      past: { type: 'string', default: '10000,100000' },
      booked: { type: 'string', default: '100,1000,5000' },
      rounds: { type: 'string', default: '20' },
    },
  })
  const rounds = Number(values.rounds)
  const database = await startDatabase({ isDurable: false })
  const provider = await startRoomsStub()
  const db = openDb({
    url: database.url,
    poolSize: 16,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'bench-reconciler',
  })
  try {
    await migrate({ url: database.url })
    const { id: tenantId } = await createTenant(db, { name: 'Bench' })
    const lists = await measureLists(db, { tenantId, sizes: numbersOf(values.past), rounds })
    const deps = reconcileDeps(db, { database, provider })
    const passes = await measurePasses(deps, { tenantId, sizes: numbersOf(values.booked), rounds })
    console.table(lists)
    console.table(passes)
    console.log(JSON.stringify({ bench: 'reconciler', machine: machine(), rounds, lists, passes }))
  } finally {
    await db.end()
    await provider.stop()
    await database.stop()
  }
}

type PassDeps = ReconcileDeps & Parameters<typeof reconcileJob>[0]

const numbersOf = (list: string) => list.split(',').map(Number)

interface Series {
  tenantId: string
  sizes: readonly number[]
  rounds: number
}

/** Adds a hundred booked rooms and half as many future slots as past ones. */
async function measureLists(db: Db, { tenantId, sizes, rounds }: Series) {
  await addRooms(db, { tenantId, count: 100, fromMin: -60, everySec: 0 })
  const rows: Record<'past' | 'p50Ms' | 'p99Ms' | 'toFew', number>[] = []
  let past = 0
  let floorMs: number | undefined
  for (const size of [0, ...sizes]) {
    const added = size - past
    await addRooms(db, { tenantId, count: added, fromMin: -300, everySec: -60 })
    await addRooms(db, { tenantId, count: Math.floor(added / 2), fromMin: 300, everySec: 60 })
    past = size
    await db`vacuum analyze rooms, sessions`
    const timesMs: number[] = []
    for (let n = 0; n < rounds * 10; n += 1) {
      timesMs.push(await timed(() => listWatchedRooms(db, new Date())))
    }
    const p50 = quantile(timesMs, 0.5)
    floorMs ??= p50
    const p99 = quantile(timesMs, 0.99)
    rows.push({ past, p50Ms: round(p50), p99Ms: round(p99), toFew: round(p50 / floorMs) })
  }
  await db`truncate rooms cascade`
  return rows
}

async function measurePasses(deps: PassDeps, { tenantId, sizes, rounds }: Series) {
  const { db, media } = deps
  const rows = []
  let booked = 0
  for (const size of sizes) {
    await addRooms(db, { tenantId, count: size - booked, fromMin: -30, everySec: 0 })
    booked = size
    await db`vacuum analyze rooms, sessions, jobs`
    const names = await listWatchedRooms(db, new Date())
    const bare = async () => {
      for (let at = 0; at < names.length; at += NAMES_PER_CALL) {
        await media.listRooms(names.slice(at, at + NAMES_PER_CALL))
      }
    }
    const whole = () => pass(deps)
    await bare()
    await whole()
    const measured = { bare: [] as Cost[], whole: [] as Cost[] }
    for (let n = 0; n < rounds; n += 1) {
      measured.bare.push(await costOf(bare))
      measured.whole.push(await costOf(whole))
    }
    const sec = medianOf(measured.whole, 'sec')
    const cpuSec = medianOf(measured.whole, 'cpuSec')
    rows.push({
      booked,
      calls: Math.ceil(names.length / NAMES_PER_CALL),
      sec: round(sec),
      cpuSec: round(cpuSec),
      cores: round(cpuSec / (sec + PAUSE_SEC)),
      secToCalls: round(sec / medianOf(measured.bare, 'sec')),
      cpuToCalls: round(cpuSec / medianOf(measured.bare, 'cpuSec')),
    })
  }
  return rows
}

interface Cost {
  sec: number
  cpuSec: number
}

const medianOf = (costs: readonly Cost[], of: keyof Cost) =>
  quantile(
    costs.map((each) => each[of]),
    0.5,
  )

/** CPU of this process. It includes the provider's stub, which runs in it. */
async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const before = process.cpuUsage()
  const tookMs = await timed(work)
  const { user, system } = process.cpuUsage(before)
  return { sec: tookMs / 1000, cpuSec: (user + system) / 1e6 }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const fromMs = performance.now()
  await work()
  return performance.now() - fromMs
}

/** Runs one pass the way a process's jobs do. */
async function pass(deps: PassDeps): Promise<void> {
  const { db, log } = deps
  const stop = new AbortController().signal
  await reconcileJob(deps).run({ key: 'all', payload: {}, attempt: 1, signal: stop, log })
  const job = reconcileRoomsJob(deps)
  const lane = async () => {
    for (;;) {
      const claim = {
        places: [{ kinds: [job.kind], free: 1, areInTurns: false }],
        leaseSec: LEASE_SEC,
      }
      const [claimed] = await claimJobs(db, claim)
      if (claimed === undefined) return
      await runLeased({ db, log, job, claimed, leaseSec: LEASE_SEC, stop })
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane))
}

interface Rooms {
  tenantId: string
  count: number
  /** Minutes from now to the first slot, and from each slot to the next. Slots last an hour. */
  fromMin: number
  everySec: number
}

/** Batch size. One statement for all ten million rows would exceed its timeout. */
const ADDED_AT_A_TIME = 250_000

async function addRooms(db: Db, { count, fromMin, ...rooms }: Rooms): Promise<void> {
  for (let added = 0; added < count; added += ADDED_AT_A_TIME) {
    await addSomeRooms(db, {
      ...rooms,
      count: Math.min(ADDED_AT_A_TIME, count - added),
      fromMin: fromMin + (added * rooms.everySec) / 60,
    })
  }
}

async function addSomeRooms(db: Db, { tenantId, count, fromMin, everySec }: Rooms): Promise<void> {
  const fromSec = fromMin * 60
  await inTransaction(db, async (tx) => {
    // The references are correct by construction, so skip the foreign key checks.
    await tx`set local session_replication_role = replica`
    await tx`
    with room as (
      insert into rooms (id, tenant_id, kind, archive_mode, archive_resolution, stream_resolution,
                         stream_frame_rate, transcription_language, transcription_service,
                         media_room_sid)
      select uuidv7(), ${tenantId}, 'interview', 'always', '640x480', '320x240', 15,
             'ja-JP', 'engine_c', 'RM_bench'
        from generate_series(1, ${count}::int)
      returning id
    )
    insert into sessions (id, tenant_id, room_id, external_type, external_id, access_token,
                          starts_at, ends_at)
    select uuidv7(), ${tenantId}, id, 'application', id, '', starts_at,
           starts_at + interval '1 hour'
      from (select id, now() + make_interval(secs => ${fromSec})
                       + (row_number() over ()) * make_interval(secs => ${everySec}) as starts_at
              from room) slot
    `
  })
}

interface Provider {
  url: string
  apiKey: string
  apiSecret: string
  stop(): Promise<void>
}

function reconcileDeps(
  db: Db,
  { database, provider }: { database: Database; provider: Provider },
): PassDeps {
  const config = loadConfig({
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    LIVEKIT_URL: provider.url,
    LIVEKIT_API_KEY: provider.apiKey,
    LIVEKIT_API_SECRET: provider.apiSecret,
  })
  const media = createLivekitMedia({ ...config.livekit, clock: systemClock })
  return { db, media, config, clock: systemClock, log: createTestDeps({ db }).log }
}

/** A provider whose media rooms all exist and are empty. */
async function startRoomsStub(): Promise<Provider> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      const { names = [] } = JSON.parse(Buffer.concat(chunks).toString()) as { names?: string[] }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ rooms: names.map((name) => ({ name, sid: 'RM_bench' })) }))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    apiKey: 'benchkey',
    apiSecret: randomBytes(32).toString('hex'),
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
