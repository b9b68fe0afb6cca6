import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { RecordingBody } from '@interview-room/contract/recordings.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { join, launchBrowser, openAs, type Person } from './harness/browser.ts'
import { enterByHand, type Inside } from './harness/inside.ts'
import {
  freePort,
  makeDataDir,
  removeDataDir,
  type Service,
  startService,
} from './harness/service.ts'
import { actAsTenant, type Tenant } from './harness/tenant.ts'
import { waitFor } from './harness/wait.ts'

/** Ten for a release, one in everyday runs: `RECORDING_CRASHES=10 npm test -- e2e`. */
const CRASHES = Number(process.env['RECORDING_CRASHES'] ?? 1)
const RUNS = Array.from({ length: CRASHES }, (_, index) => index + 1)

let dataDir: string
let ports: { port: number; env: Record<string, string> }
let service: Service
let tenant: Tenant
let browser: Browser
const roomIds: string[] = []

async function start(): Promise<void> {
  service = await startService({ dataDir, ...ports })
  tenant = actAsTenant(service.local)
}

beforeAll(async () => {
  dataDir = await makeDataDir()
  const MEDIA_PORT = String(await freePort())
  ports = { port: await freePort(), env: { MEDIA_PORT, RECONCILE_EVERY_SEC: '2' } }
  await start()
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  removeDataDir(dataDir)
})

/** A room with somebody to record, and a moderator who has no page. */
interface Open {
  roomId: string
  panelist: Person
  moderator: Inside
}

async function openRoom(): Promise<Open> {
  const { id: roomId } = await tenant.book({ room: { archive_mode: 'manual' } })
  roomIds.push(roomId)
  const link = await tenant.link({ roomId, role: 'panelist', name: 'Pana' })
  const panelist = await openAs(browser, link)
  await join(panelist)
  const baseUrl = service.local.base_url
  const moderator = await enterByHand(tenant, { baseUrl, roomId, role: 'moderator', name: 'Mori' })
  return { roomId, panelist, moderator }
}

/** Until a second or two are written. */
async function untilWritten({ moderator }: Open): Promise<void> {
  await waitFor(
    async () => {
      const { recording, now } = await moderator.snapshot()
      const since = recording?.running_since ?? now
      return Date.parse(now) - Date.parse(since) > 1500
    },
    { what: 'media is being written', timeoutMs: 60_000 },
  )
}

async function record(room: Open): Promise<void> {
  await room.moderator.post('/recording/start')
  await untilWritten(room)
}

async function recordingOf(roomId: string): Promise<RecordingBody | undefined> {
  const answer = await tenant.call('GET', `/rooms/${roomId}/recordings`)
  const { items } = ((await answer.json()) as { data: { items: RecordingBody[] } }).data
  expect(items.length).toBeLessThanOrEqual(1)
  return items[0]
}

/** Kills the service and starts it again; whatever was asked for meanwhile may fail. */
async function killAndStart(meanwhile?: Promise<unknown>): Promise<void> {
  const settled = meanwhile?.catch(() => {})
  await service.kill()
  await settled
  await start()
}

/** Nobody does anything more: the recording ends by itself, well or with a reason. */
async function untilEnded({ roomId, panelist }: Open): Promise<RecordingBody | undefined> {
  await panelist.context.close()
  await tenant.close(roomId)
  const { recording } = await waitFor(
    async () => {
      const now = await recordingOf(roomId)
      return now === undefined || /^(available|failed)$/.test(now.status)
        ? { recording: now }
        : undefined
    },
    { what: 'the recording has ended', timeoutMs: 120_000 },
  )
  return recording
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(path.join(dataDir, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
  } catch {
    return []
  }
}

const isAtWork = () => filesBelow('work').length > 0

/** Files of a few seconds are made in a few hundred milliseconds: nothing but looking is done here. */
async function untilAtWork(): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!isAtWork()) {
    if (performance.now() > deadline) throw new Error('no video is being made')
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}

async function hasProcessed({ id }: RecordingBody): Promise<boolean> {
  const answer = await tenant.call('GET', `/recordings/${id}/processed-recording`)
  if (answer.status !== 200) return false
  const { data } = (await answer.json()) as { data: { status: string } }
  return data.status === 'available'
}

/** One file for each recording that is available, one for each trim, and nothing else. */
async function expectNothingLeft(): Promise<void> {
  let wanted = 0
  for (const roomId of roomIds) {
    const recording = await recordingOf(roomId)
    if (recording?.status !== 'available') continue
    wanted += (await hasProcessed(recording)) ? 2 : 1
  }
  await waitFor(() => filesBelow('storage').length === wanted, {
    what: `${wanted} files are stored`,
    timeoutMs: 60_000,
  })
  await waitFor(() => !isAtWork(), { what: 'no temporary file is left' })
}

describe.each(RUNS)('kill -9 of the service, run %i', () => {
  test('while a recording starts: it is there and ends, or there is none', async () => {
    const room = await openRoom()
    await killAndStart(room.moderator.post('/recording/start'))
    await untilEnded(room)
    await expectNothingLeft()
  })

  test('while it records: what was captured becomes available', async () => {
    const room = await openRoom()
    await record(room)
    const { id } = (await recordingOf(room.roomId)) as RecordingBody
    await killAndStart()
    expect(await untilEnded(room)).toMatchObject({ id, status: 'available' })
    await expectNothingLeft()
  })

  test('while it stops: it becomes available', async () => {
    const room = await openRoom()
    await record(room)
    await killAndStart(room.moderator.post('/recording/stop'))
    expect(await untilEnded(room)).toMatchObject({ status: 'available' })
    await expectNothingLeft()
  })

  test('while its parts are joined, then while it is trimmed: both become available', async () => {
    const room = await openRoom()
    await record(room)
    await room.moderator.post('/recording/pause')
    await room.moderator.post('/recording/resume')
    await untilWritten(room)
    await room.moderator.post('/recording/stop')
    await untilAtWork()
    await killAndStart()
    const recording = await untilEnded(room)
    expect(recording).toMatchObject({ status: 'available' })

    const trim = { source: 'trim', trim_start_sec: 0, trim_end_sec: 1 }
    const { id } = recording as RecordingBody
    const ordered = await tenant.call('POST', `/recordings/${id}/processed-recording`, trim)
    expect(ordered.status).toBe(201)
    await untilAtWork()
    await killAndStart()
    await waitFor(() => hasProcessed(recording as RecordingBody), {
      what: 'the trim is available',
      timeoutMs: 120_000,
    })
    await expectNothingLeft()
  })
})
