import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { join, launchBrowser, openAs } from '@interview-room/e2e/src/harness/browser.ts'
import { freePort, removeDataDir, startService } from '@interview-room/e2e/src/harness/service.ts'
import {
  AS_BY_DEFAULT,
  actAsTenant,
  type Room,
  type Tenant,
} from '@interview-room/e2e/src/harness/tenant.ts'
import type { Browser } from 'playwright-core'
import { machine } from '../machine.ts'
import { startMeasuredMediaServer } from '../measured-media-server.ts'
import { cpuSecOf } from '../process-usage.ts'
import { round } from '../statistics.ts'
import type { ReceivedMedia } from './clients.ts'

const CLIENTS = path.join(import.meta.dirname, 'clients.ts')
/** Observers per process. The native client's threads grow with its rooms. */
const PER_PROCESS = 10
const SETTLE_MS = 8_000
const SIZE = { stream_resolution: '320x240', stream_frame_rate: 15 }

const CARRIED_FRAMES_PER_SEC = 0.95 * SIZE.stream_frame_rate

/** Two publishers in browsers, and a growing number of observers who subscribe to all audio and video. */
export async function measureObservers(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      observers: { type: 'string', default: '10,20,30,40,50' },
      seconds: { type: 'string', default: '20' },
    },
  })
  const port = await freePort()
  const media = await startMeasuredMediaServer({ notifies: port })
  const service = await startService({ port, env: media.settings })
  const browser = await launchBrowser()
  const clients: ChildProcess[] = []
  try {
    const tenant = actAsTenant(service.local)
    const room = await tenant.book({ room: { ...AS_BY_DEFAULT, ...SIZE } })
    await publish(browser, tenant, room)
    const rows: Row[] = []
    for (const observers of [0, ...values.observers.split(',').map(Number)]) {
      while (clients.length * PER_PROCESS < observers) {
        clients.push(await observe(tenant, room, clients.length))
      }
      await delay(SETTLE_MS)
      const row = await measure({ media, clients, seconds: Number(values.seconds) })
      rows.push({ observers, ...row })
      console.error(`measured: ${observers} observers`)
    }
    report(rows)
  } finally {
    for (const client of clients) client.disconnect()
    await browser.close()
    await service.stop()
    media.stop()
    removeDataDir(service.dataDir)
  }
}

async function publish(browser: Browser, tenant: Tenant, room: Room): Promise<void> {
  for (const role of ['moderator', 'panelist']) {
    const link = await tenant.link({ roomId: room.id, role, name: `The ${role}` })
    await join(await openAs(browser, link))
  }
}

async function observe(tenant: Tenant, room: Room, process: number): Promise<ChildProcess> {
  const tokens: string[] = []
  let url = ''
  for (let n = 0; n < PER_PROCESS; n += 1) {
    const name = `Observer ${process * PER_PROCESS + n}`
    const token = await tenant.signToken({ roomId: room.id, role: 'observer', name })
    const { media } = await tenant.admit(room.id, token)
    url = media.url
    tokens.push(media.token)
  }
  const child = fork(CLIENTS, [url, ...tokens])
  await once(child, 'message')
  return child
}

interface Row {
  observers: number
  /** CPU in cores. */
  server: number
  clients: number
  /** Frames per second from one publisher to one observer. */
  framesPerSec: number
  packetsPerSec: number
}

interface Measurement {
  media: { pid: number }
  clients: readonly ChildProcess[]
  seconds: number
}

async function measure({ media, clients, seconds }: Measurement): Promise<Omit<Row, 'observers'>> {
  const before = await count(media.pid, clients)
  await delay(seconds * 1000)
  const after = await count(media.pid, clients)
  const passedSec = (after.atMs - before.atMs) / 1000
  const perSec = (key: 'server' | 'clients' | 'frames' | 'packets') =>
    (after[key] - before[key]) / passedSec
  const observers = Math.max(1, clients.length * PER_PROCESS)
  return {
    server: round(perSec('server')),
    clients: round(perSec('clients')),
    framesPerSec: round(perSec('frames') / observers / 2),
    packetsPerSec: round(perSec('packets')),
  }
}

async function count(serverPid: number, clients: readonly ChildProcess[]) {
  const received = await Promise.all(clients.map((client) => ask(client)))
  return {
    atMs: performance.now(),
    server: cpuSecOf(serverPid),
    clients: clients.reduce((sum, { pid }) => sum + (pid === undefined ? 0 : cpuSecOf(pid)), 0),
    frames: received.reduce((sum, { frames }) => sum + frames, 0),
    packets: received.reduce((sum, { packets }) => sum + packets, 0),
  }
}

async function ask(client: ChildProcess): Promise<ReceivedMedia> {
  const answer = once(client, 'message')
  client.send('count')
  const [received] = (await answer) as [ReceivedMedia]
  return received
}

/** Prints a table for people, the cost of one more observer, and one line of JSON. */
function report(rows: readonly Row[]): void {
  console.log('\nCPU in cores; frames of one publisher at one observer; packets at all of them:')
  console.table(rows)
  // On an overloaded machine the server sends less than it should, so such rows would flatten the line.
  const carried = rows.filter(
    ({ observers, framesPerSec }) => observers === 0 || framesPerSec > CARRIED_FRAMES_PER_SEC,
  )
  const perObserver = round(slope(carried, ({ server }) => server))
  console.log(
    `one more observer costs the media server ${perObserver} of a core, from 0 to ${carried.at(-1)?.observers}`,
  )
  console.log(JSON.stringify({ bench: 'observers', machine: machine(), rows, perObserver }))
}

/** The slope of the least-squares line. */
function slope(rows: readonly Row[], figure: (row: Row) => number): number {
  const middle = rows.reduce((sum, { observers }) => sum + observers, 0) / rows.length
  const weights = rows.map(({ observers }) => observers - middle)
  const above = rows.reduce((sum, row, at) => sum + (weights[at] ?? 0) * figure(row), 0)
  return above / weights.reduce((sum, weight) => sum + weight ** 2, 0)
}
