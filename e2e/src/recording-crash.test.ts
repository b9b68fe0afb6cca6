import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { RecordingBody } from '@interview-room/contract/recordings.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from './harness/browser.ts'
import {
  openRecordedRoom,
  type RecordedRoom,
  recordingsOf,
  untilEnded,
  untilRecorded,
} from './harness/recorded.ts'
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

async function openRoom(): Promise<RecordedRoom> {
  const room = await openRecordedRoom(browser, { tenant, service })
  roomIds.push(room.roomId)
  return room
}

const record = async ({ moderator }: RecordedRoom) => {
  await moderator.post('/recording/start')
  await untilRecorded(moderator, 1.5)
}

/** Kills the service and starts it again; whatever was asked for meanwhile may fail. */
async function killAndStart(meanwhile?: Promise<unknown>): Promise<void> {
  const settled = meanwhile?.catch(() => {})
  await service.kill()
  await settled
  await start()
}

/** Nobody does anything more: the recording ends by itself, well or with a reason. */
async function leaveAlone({ roomId, panelist }: RecordedRoom): Promise<RecordingBody | undefined> {
  await panelist.context.close()
  await tenant.close(roomId)
  return untilEnded(tenant, roomId)
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
    const [recording] = await recordingsOf(tenant, roomId)
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
    await leaveAlone(room)
    await expectNothingLeft()
  })

  test('while it records: what was captured becomes available', async () => {
    const room = await openRoom()
    await record(room)
    await killAndStart()
    expect(await leaveAlone(room)).toMatchObject({ status: 'available' })
    await expectNothingLeft()
  })

  test('while it stops: it becomes available', async () => {
    const room = await openRoom()
    await record(room)
    await killAndStart(room.moderator.post('/recording/stop'))
    expect(await leaveAlone(room)).toMatchObject({ status: 'available' })
    await expectNothingLeft()
  })

  test('while its parts are joined, then while it is trimmed: both become available', async () => {
    const room = await openRoom()
    await record(room)
    await room.moderator.post('/recording/pause')
    await room.moderator.post('/recording/resume')
    await untilRecorded(room.moderator, 3)
    await room.moderator.post('/recording/stop')
    await untilAtWork()
    await killAndStart()
    const recording = await leaveAlone(room)
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
