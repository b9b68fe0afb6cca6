import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RecordingBody } from '@interview-room/contract/recordings.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { framesShown, join, launchBrowser, openAs, type Person } from './harness/browser.ts'
import { enterByHand, type Inside } from './harness/inside.ts'
import { type Receiver, startReceiver } from './harness/receiver.ts'
import { untilEnded, untilRecorded } from './harness/recorded.ts'
import { freePort, removeDataDir, type Service, startService } from './harness/service.ts'
import { actAsTenant, type Tenant } from './harness/tenant.ts'
import { differenceOf, openVideo, type Video, writeVoice } from './harness/video.ts'
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
/** Where three tiles leave the picture empty. */
const BESIDE_TILES = { x: 0.05, y: 0.8 }
const AVAILABLE_WITHIN_MS = 60_000
const FRAME_SEC = 1 / 15
const PAUSE_SEC = 20
/** Of each part, before the pause and after it. */
const PART_SEC = 15
/** At the beginning of a part, until the browser has sent a picture that needs no other. */
const AWAITED_MAX_SEC = 1
const TRIM = { fromSec: 10, toSec: 25 }
/** Of two pictures that show the same: what is lost by encoding one of them again. */
const SAME_MAX = 6

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
  // What is told of joining is told at this level.
  service = await startService({ env: { LOG_LEVEL: 'info' } })
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

const secondsSince = (moment: Date) => (Date.now() - moment.getTime()) / 1000
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
    const sofarSec = secondsSince(await untilRecorded(observer, 0))
    const since = await untilRecorded(observer, sofarSec + 8)
    const closing = performance.now()
    const leastSec = secondsSince(since)
    await tenant.close(roomId)
    const mostSec = secondsSince(since)

    const { id, duration_sec, output_mode } = await untilAvailable(roomId)
    expect(performance.now() - closing).toBeLessThan(AVAILABLE_WITHIN_MS)
    expect(output_mode).toBe('composed')
    const video = await download(id)
    expect(video.durationSec).toBeGreaterThan(leastSec - 0.5)
    expect(video.durationSec).toBeLessThan(mostSec + 0.5)
    expect(Math.abs(video.durationSec - Number(duration_sec))).toBeLessThan(0.1)
    expect([video.widthPx, video.heightPx]).toEqual([640, 480])
    const end = video.durationSec - 1
    for (const tile of TILES) expect(video.colourAt(end, tile)).toSatisfy(isGreen)
    expect(video.colourAt(end, BESIDE_TILES)).not.toSatisfy(isGreen)
    expect(video.codecs).toEqual(['avc', 'aac'])
    const span = { fromSec: end - 6, toSec: end }
    for (const toneHz of Object.values(VOICES)) {
      expect(video.loudnessOf(toneHz, span)).toBeGreaterThan(20 * video.loudnessOf(QUIET_HZ, span))
    }
    video.dispose()
    await untilToldAvailable(id)
    expect(statusesTold(id)).toEqual(['started', 'stopped', 'uploaded', 'available'])
  })
})

/** Records so much more; answers between which lengths that part of the file must be. */
async function recordPart(
  moderator: Inside,
  { sec, until }: { sec: number; until: 'pause' | 'stop' },
): Promise<{ leastSec: number; mostSec: number }> {
  const { recorded_sec: beforeSec = 0 } = (await moderator.snapshot()).recording ?? {}
  const since = await untilRecorded(moderator, beforeSec + sec)
  const leastSec = secondsSince(since)
  await moderator.post(`/recording/${until}`)
  return { leastSec, mostSec: secondsSince(since) }
}

/** Somebody is there only meanwhile: the picture of two must not be in the file. */
async function comeAndGo(browser: Browser, roomId: string, moderator: Inside): Promise<void> {
  const areInside = async (count: number) =>
    waitFor(async () => (await moderator.snapshot()).roster.length === count, {
      what: `${count} are inside`,
      timeoutMs: 60_000,
    })
  const guest = await enter(browser, { roomId, role: 'panelist', name: 'Guest' })
  await areInside(2)
  await guest.context.close()
  await areInside(1)
}

async function trim(recordingId: string): Promise<Video> {
  const order = { source: 'trim', trim_start_sec: TRIM.fromSec, trim_end_sec: TRIM.toSec }
  const path = `/recordings/${recordingId}/processed-recording`
  expect((await tenant.call('POST', path, order)).status).toBe(201)
  await waitFor(
    () => receiver.received.some(({ type }) => type === 'processed_recording.status_changed'),
    { what: 'W7 tells of the trimmed video', timeoutMs: 120_000 },
  )
  return download(recordingId, '/processed-recording')
}

describe('a recording with a pause', () => {
  test('leaves out what happened meanwhile, goes on without a gap, and can be trimmed', async () => {
    const browser = await launchWithVoice(VOICES.panelist)
    const { id: roomId } = await tenant.book({ room: { archive_mode: 'manual' } })
    await enter(browser, { roomId, role: 'panelist', name: 'Pana' })
    const moderator = await byHand(roomId, 'moderator')
    await moderator.post('/recording/start')
    const first = await recordPart(moderator, { sec: PART_SEC, until: 'pause' })
    const paused = performance.now()
    await comeAndGo(browser, roomId, moderator)
    await waitFor(() => performance.now() - paused > PAUSE_SEC * 1000, {
      what: 'the pause is over',
    })
    await moderator.post('/recording/resume')
    const second = await recordPart(moderator, { sec: PART_SEC, until: 'stop' })
    const { id } = await untilAvailable(roomId)

    const video = await download(id)
    expect(video.durationSec).toBeGreaterThan(first.leastSec + second.leastSec - 0.5)
    expect(video.durationSec).toBeLessThan(first.mostSec + second.mostSec + 0.5)
    const colours = video.coloursAt(ALONE)
    expect(Math.abs(colours.length * FRAME_SEC - video.durationSec)).toBeLessThan(2 * FRAME_SEC)
    const emptySecs = colours.flatMap((each, index) => (isGreen(each) ? [] : [index * FRAME_SEC]))
    const seam = { fromSec: first.leastSec - 0.5, toSec: first.mostSec + 0.5 + AWAITED_MAX_SEC }
    const isAwaiting = (sec: number) =>
      sec < AWAITED_MAX_SEC || (sec > seam.fromSec && sec < seam.toSec)
    expect(emptySecs.filter((sec) => !isAwaiting(sec))).toEqual([])
    const emptySec = emptySecs.length * FRAME_SEC
    expect(emptySec, `empty at ${emptySecs.join(', ')}`).toBeLessThan(2 * AWAITED_MAX_SEC)
    for (let sec = 1; sec < video.durationSec - 0.5; sec += 0.5) {
      expect(video.volume({ fromSec: sec - 0.5, toSec: sec + 0.5 }), `at ${sec} s`).toBeGreaterThan(
        0.01,
      )
    }
    // Joined as they are: two runs. One: the copy was out of step at the seam, and all was encoded anew.
    expect([1, 2]).toContain(video.encoderRuns)
    await untilToldAvailable(id)
    expect(statusesTold(id)).toEqual([
      'started',
      'paused',
      'started',
      'stopped',
      'uploaded',
      'available',
    ])

    const trimmed = await trim(id)
    expect(Math.abs(trimmed.durationSec - 15)).toBeLessThanOrEqual(FRAME_SEC + 0.001)
    expect(trimmed.codecs).toEqual(['avc', 'aac'])
    const begins = await trimmed.pictureAt(0)
    const differenceTo = async (sec: number) => differenceOf(begins, await video.pictureAt(sec))
    const atStart = await differenceTo(TRIM.fromSec)
    expect(atStart).toBeLessThan(SAME_MAX)
    // None is more like it, and those far from it are others.
    for (const besideSec of [-FRAME_SEC, FRAME_SEC]) {
      expect(await differenceTo(TRIM.fromSec + besideSec)).toBeGreaterThanOrEqual(atStart)
    }
    for (const farSec of [-1, 1]) {
      expect(await differenceTo(TRIM.fromSec + farSec)).toBeGreaterThan(SAME_MAX)
    }
    trimmed.dispose()
    video.dispose()
  })
})
