import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RecordingControlBody } from '@interview-room/contract/live-recording.ts'
import type { RecordingBody } from '@interview-room/contract/recordings.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { framesShown, join, launchBrowser, openAs, type Person } from './harness/browser.ts'
import { enterByHand } from './harness/inside.ts'
import { type Receiver, startReceiver } from './harness/receiver.ts'
import { untilEnded, untilRecorded } from './harness/recorded.ts'
import { freePort, removeDataDir, type Service, startService } from './harness/service.ts'
import { actAsTenant, type Tenant } from './harness/tenant.ts'
import { openVideo, type Video, writeVoice } from './harness/video.ts'
import { waitFor } from './harness/wait.ts'

const VOICES = { moderator: 440, panelist: 1000 }
const QUIET_HZ = 700
/** Where the tile of one is, and no tile of two. */
const ALONE = { x: 0.5, y: 0.1 }
/** Where the tiles of three are in a grid. */
const TILES = [
  { x: 0.15, y: 0.12 },
  { x: 0.65, y: 0.12 },
  { x: 0.4, y: 0.62 },
]

let service: Service
let tenant: Tenant
let receiver: Receiver
let folder: string
const browsers: Browser[] = []

/** A browser whose microphone has a voice of its own. */
async function launchWithVoice(toneHz: number): Promise<Browser> {
  const file = path.join(folder, `${toneHz}.wav`)
  writeVoice(file, toneHz)
  const browser = await launchBrowser([`--use-file-for-fake-audio-capture=${file}`])
  browsers.push(browser)
  return browser
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'interview-room-voices-'))
  service = await startService()
  tenant = actAsTenant(service.local)
  receiver = await startReceiver(await freePort())
  const endpoint = (await service.admin(
    'webhooks',
    'set',
    '--tenant',
    service.local.tenant_id,
    '--url',
    receiver.url,
  )) as { secret: string }
  receiver.secret = endpoint.secret
})

afterAll(async () => {
  for (const browser of browsers) await browser.close()
  await receiver?.down()
  await service?.stop()
  if (service !== undefined) removeDataDir(service.dataDir)
  rmSync(folder, { recursive: true, force: true })
})

async function enter(
  browser: Browser,
  { roomId, role, name }: { roomId: string; role: string; name: string },
): Promise<Person> {
  const person = await openAs(browser, await tenant.link({ roomId, role, name }))
  await join(person)
  return person
}

async function download(recordingId: string, what = ''): Promise<Video> {
  const answer = await tenant.call('GET', `/recordings/${recordingId}${what}/download-url`)
  const { data } = (await answer.json()) as { data: { url: string } }
  const file = await fetch(data.url)
  expect(file.headers.get('content-type')).toBe('video/mp4')
  return openVideo(Buffer.from(await file.arrayBuffer()))
}

/** As W3 told them. A webhook may come twice, under one id: so it does while a test works hard. */
function statusesTold(recordingId: string): unknown[] {
  const told = receiver.received.filter(
    ({ type, data }) => type === 'recording.status_changed' && data['recording_id'] === recordingId,
  )
  return [...new Map(told.map(({ id, data }) => [id, data['status']])).values()]
}

const untilToldAvailable = (recordingId: string) =>
  waitFor(() => statusesTold(recordingId).includes('available'), {
    what: 'W3 tells that it is available',
  })

async function untilAvailable(roomId: string): Promise<RecordingBody> {
  const recording = await untilEnded(tenant, roomId)
  expect(recording?.status).toBe('available')
  return recording as RecordingBody
}

const isGreen = ({ r, g, b }: Record<'r' | 'g' | 'b', number>) => g > 120 && r < 80 && b < 80
const byHand = (roomId: string, role: string) =>
  enterByHand(tenant, { baseUrl: service.local.base_url, roomId, role, name: `By hand, ${role}` })

describe('a three-person interview with the default settings', () => {
  test('is available within 60 s of the close: whole, with every voice and every tile', async () => {
    const [first, second] = [
      await launchWithVoice(VOICES.moderator),
      await launchWithVoice(VOICES.panelist),
    ]
    const { id: roomId } = await tenant.book()
    const { page } = await enter(first, { roomId, role: 'moderator', name: 'Mori' })
    for (const name of ['Pana', 'Pit']) {
      await enter(second, { roomId, role: 'panelist', name })
      await waitFor(() => framesShown(page, name), { what: `${name} is seen`, timeoutMs: 60_000 })
    }
    const observer = await byHand(roomId, 'observer')
    const sofarSec = (Date.now() - (await untilRecorded(observer, 0)).getTime()) / 1000
    const since = await untilRecorded(observer, sofarSec + 8)
    const leastSec = (Date.now() - since.getTime()) / 1000
    await tenant.close(roomId)
    const mostSec = (Date.now() - since.getTime()) / 1000

    const { id, duration_sec, output_mode } = await untilAvailable(roomId)
    expect(output_mode).toBe('composed')
    const video = await download(id)
    expect(video.durationSec).toBeGreaterThan(leastSec - 0.5)
    expect(video.durationSec).toBeLessThan(mostSec + 0.5)
    expect(Math.abs(video.durationSec - Number(duration_sec))).toBeLessThan(0.1)
    expect([video.widthPx, video.heightPx]).toEqual([640, 480])
    const end = video.durationSec - 1
    for (const tile of TILES) expect(video.colourAt(end, tile)).toSatisfy(isGreen)
    const span = { fromSec: end - 6, toSec: end }
    for (const toneHz of Object.values(VOICES)) {
      expect(video.loudnessOf(toneHz, span)).toBeGreaterThan(20 * video.loudnessOf(QUIET_HZ, span))
    }
    video.dispose()
    await untilToldAvailable(id)
    expect(statusesTold(id)).toEqual(['started', 'stopped', 'uploaded', 'available'])
  })
})

describe('a recording with a pause', () => {
  test('leaves out what happened meanwhile, goes on without a gap, and can be trimmed', async () => {
    const browser = await launchWithVoice(VOICES.panelist)
    const { id: roomId } = await tenant.book({ room: { archive_mode: 'manual' } })
    await enter(browser, { roomId, role: 'panelist', name: 'Pana' })
    const moderator = await byHand(roomId, 'moderator')
    await moderator.post('/recording/start')
    await untilRecorded(moderator, 6)
    await moderator.post('/recording/pause')

    // Somebody is there only meanwhile: the picture of two must not be in the file.
    const guest = await enter(browser, { roomId, role: 'panelist', name: 'Guest' })
    await waitFor(async () => (await moderator.snapshot()).roster.length === 2, {
      what: 'the guest is inside',
    })
    await guest.context.close()
    await waitFor(async () => (await moderator.snapshot()).roster.length === 1, {
      what: 'the guest has left',
      timeoutMs: 60_000,
    })
    await moderator.post('/recording/resume')
    const { recorded_sec: firstSec = 0 } = (await moderator.snapshot()).recording ?? {}
    await untilRecorded(moderator, firstSec + 6)
    const { recording: stopped } = await moderator.post<RecordingControlBody>('/recording/stop')
    const recordedSec = stopped?.recorded_sec ?? 0
    const { id } = await untilAvailable(roomId)

    const video = await download(id)
    expect(Math.abs(video.durationSec - recordedSec)).toBeLessThan(0.7)
    for (let sec = 1; sec < video.durationSec - 0.5; sec += 1) {
      expect(video.colourAt(sec, ALONE), `at ${sec} s`).toSatisfy(isGreen)
      expect(video.volume({ fromSec: sec - 0.5, toSec: sec + 0.5 }), `at ${sec} s`).toBeGreaterThan(
        0.01,
      )
    }
    video.dispose()
    await untilToldAvailable(id)
    expect(statusesTold(id)).toEqual([
      'started',
      'paused',
      'started',
      'stopped',
      'uploaded',
      'available',
    ])

    const trim = { source: 'trim', trim_start_sec: 4, trim_end_sec: 9 }
    const ordered = await tenant.call('POST', `/recordings/${id}/processed-recording`, trim)
    expect(ordered.status).toBe(201)
    await waitFor(
      () => receiver.received.some(({ type }) => type === 'processed_recording.status_changed'),
      { what: 'W7 tells of the trimmed video', timeoutMs: 60_000 },
    )
    const trimmed = await download(id, '/processed-recording')
    expect(Math.abs(trimmed.durationSec - 5)).toBeLessThanOrEqual(1 / 15 + 0.001)
    trimmed.dispose()
  })
})
