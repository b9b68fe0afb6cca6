import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { verifyWebhook } from '@interview-room/sdk/webhook.ts'
import { type Db, openDb } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { s3Settings, startTestS3, type TestS3 } from '../../platform/storage/testing/s3-server.ts'
import { judgeWebhook } from '../answer-oracle.ts'
import { TEST_TIMEOUTS } from '../database.ts'
import { createTestDeps } from '../deps.ts'
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { type Replicated, startReplicated } from '../standby.ts'
import { installNewsFaults } from './facts.ts'
import type { SharedFault } from './steps.ts'

/** A webhook as it arrived. */
interface Arrival {
  id: string
  type: string
  atMs: number
  /** Answered with 204. */
  isTaken: boolean
  // oxlint-disable-next-line typescript/no-explicit-any -- invariants look into data of any shape
  data: any
}

/** The receiver of one tenant. */
export interface Inbox {
  secret: string
  arrivals: Arrival[]
  /** Not signed, or not as they are described. */
  wrong: string[]
  /** The number of further webhooks to refuse. */
  refusing: number
}

/** A process that is started again at the same port whenever it was killed. */
export interface Place {
  role: 'api' | 'worker'
  process: ServiceProcess
}

/** Everything that the histories of a run share. */
export interface World {
  servers: Replicated
  /** The way of the processes to the database. */
  way: FaultProxy
  /** Straight to the primary, also while it only reads. */
  db: Db
  deps: Deps
  s3: TestS3
  places: Place[]
  receiverUrl: string
  inboxes: Map<string, Inbox>
  /** When a process was killed or out of reach: what was under way then may be sent again. */
  troubles: { fault: SharedFault; fromMs: number; toMs: number }[]
  /** People whom no table may name any more. */
  erased: string[]
  restart(place: Place): Promise<void>
  stop(): Promise<void>
}

export interface WorldOptions {
  /** Environment of the processes besides the usual one. */
  env?: Record<string, string>
}

/** Two api and two worker processes, with all that they depend on. */
export async function startWorld({ env = {} }: WorldOptions = {}): Promise<World> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const each of stops.splice(0).toReversed()) await each()
  }
  try {
    return await build(stops, stop, env)
  } catch (error) {
    await stop()
    throw error
  }
}

async function build(
  stops: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
  env: Record<string, string>,
): Promise<World> {
  const servers = await startReplicated()
  stops.push(() => servers.stop())
  const way = await startFaultProxy(servers.primaryUrl)
  stops.push(() => way.close())
  const writes = encodeURIComponent('-c default_transaction_read_only=off')
  const url = `${servers.primaryUrl}?options=${writes}`
  const db = openDb({ url, poolSize: 8, applicationName: 'histories', ...TEST_TIMEOUTS })
  stops.push(() => db.end())
  await installNewsFaults(db)
  const s3 = await startTestS3()
  stops.push(() => s3.close())
  const workDir = await mkdtemp(path.join(tmpdir(), 'interview-room-histories-'))
  stops.push(() => rm(workDir, { recursive: true, force: true }))
  const inboxes = new Map<string, Inbox>()
  const receiver = await startReceiver(inboxes)
  stops.push(receiver.close)

  const start = (role: Place['role'], port?: number) =>
    startServiceProcess({
      databaseUrl: way.url,
      role,
      ...(port !== undefined && { port }),
      env: { ...SETTINGS, ...s3Settings(s3), WORK_DIR: workDir, ...env },
    })
  const roles = ['api', 'api', 'worker', 'worker'] as const
  const places: Place[] = []
  stops.push(() => Promise.all(places.map(({ process }) => process.stop('SIGKILL'))))
  for (const role of roles) places.push({ role, process: await start(role) })
  return {
    servers,
    way,
    db,
    deps: createTestDeps({ db }),
    s3,
    places,
    receiverUrl: receiver.url,
    inboxes,
    troubles: [],
    erased: [],
    async restart(place) {
      await place.process.stop('SIGKILL')
      place.process = await start(place.role, place.process.port)
    },
    stop,
  }
}

/** Short, so that a run sees many of each. */
const SETTINGS = {
  RECONCILE_EVERY_SEC: '1',
  JOB_LEASE_SEC: '3',
  LOG_LEVEL: 'error',
  REQUESTS_MAX: '1000',
}

async function startReceiver(
  inboxes: Map<string, Inbox>,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const inbox = inboxes.get(request.url?.slice(1) ?? '')
    void text(request).then((body) => {
      if (inbox === undefined) return response.writeHead(410).end()
      const isTaken = inbox.refusing === 0
      if (!isTaken) inbox.refusing -= 1
      try {
        const { secret } = inbox
        const { id, type, data } = verifyWebhook({ body, headers: request.headers, secret })
        const problem = judgeWebhook(body)
        if (problem !== undefined) inbox.wrong.push(`${problem}: ${body}`)
        inbox.arrivals.push({ id, type, data, isTaken, atMs: Date.now() })
      } catch (error) {
        inbox.wrong.push(String(error))
      }
      return response.writeHead(isTaken ? 204 : 500).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
