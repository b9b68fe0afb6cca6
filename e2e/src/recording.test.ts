import path from 'node:path'
import type { ClipBody } from '@interview-room/contract/clips.ts'
import type { RecordingBody } from '@interview-room/contract/recordings.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Browser } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ApiParticipant } from './harness/api-participant.ts'
import { framesShown } from './harness/browser.ts'
import { imageOf, registerHandout } from './harness/handouts.ts'
import { countTracks } from './harness/provider.ts'
import { untilEnded, untilRecorded } from './harness/recorded.ts'
import { AS_BY_DEFAULT, type RoleWord, type Room } from './harness/tenant.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { differenceOf, openVideo, type Video, writeVoice } from './harness/video.ts'
import { LATER_MS, waitFor } from './harness/wait.ts'

const VOICES = { moderator: 440, panelist: 1000 }
const QUIET_HZ = 700
/** The tile of a single person, where two people have no tile. */
const ALONE = { x: 0.5, y: 0.1 }
/** The tiles of three people in a grid. */
const TILES = [
  { x: 0.15, y: 0.12 },
  { x: 0.65, y: 0.12 },
  { x: 0.4, y: 0.62 },
]
/** A place that three tiles leave empty. */
const BESIDE_TILES = { x: 0.05, y: 0.8 }
/** The shown image, and the middle one of three tiles beside it. */
const ON_STAGE = { x: 0.39, y: 0.5 }
const BESIDE_STAGE = { x: 0.89, y: 0.5 }
const SHOWN_SEC = 3
const AVAILABLE_WITHIN_MS = 60_000
const FRAME_SEC = 1 / 15
/** Lengths of the pause and of each part around it, and the range to trim. */
const { PAUSE_SEC, PART_SEC, TRIM } = IS_FULL_RUN
  ? { PAUSE_SEC: 20, PART_SEC: 15, TRIM: { fromSec: 10, toSec: 25 } }
  : { PAUSE_SEC: 5, PART_SEC: 8, TRIM: { fromSec: 4, toSec: 12 } }
/** The most by which two pictures of the same content differ after one of them is encoded again. */
const SAME_MAX = 6

const env = useTestEnvironment({ hasBrowser: false, hasReceiver: true })

/** A browser whose microphone plays a separate tone. */
async function launchWithVoice(toneHz: number): Promise<Browser> {
  const file = path.join(env.folder, `${toneHz}.wav`)
  writeVoice(file, toneHz)
  return env.launchBrowser([`--use-file-for-fake-audio-capture=${file}`])
}

async function download(recordingId: string, what = ''): Promise<Video> {
  const answer = await env.tenant.call('GET', `/recordings/${recordingId}${what}/download-url`)
  const { data } = (await answer.json()) as { data: { url: string } }
  const file = await fetch(data.url)
  expect(file.headers.get('content-type')).toBe('video/mp4')
  return openVideo(Buffer.from(await file.arrayBuffer()))
}

/** The statuses that W3 published. A webhook may arrive twice with one id, for example on a busy machine. */
function publishedStatuses(recordingId: string): unknown[] {
  const delivered = env.receiver.received.filter(
    ({ type, data }) => type === 'recording.status_changed' && data['recording_id'] === recordingId,
  )
  return [...new Map(delivered.map(({ id, data }) => [id, data['status']])).values()]
}

const untilAvailableDelivered = (recordingId: string) =>
  waitFor(() => publishedStatuses(recordingId).includes('available'), {
    what: 'W3 reports that it is available',
  })

async function untilAvailable(roomId: string): Promise<RecordingBody> {
  const recording = await untilEnded(env.tenant, roomId)
  expect(recording?.status).toBe('available')
  return recording as RecordingBody
}

const secondsSince = (moment: Date) => (Date.now() - moment.getTime()) / 1000
const isGreen = ({ r, g, b }: Record<'r' | 'g' | 'b', number>) => g > 120 && r < 80 && b < 80
const isMagenta = ({ r, g, b }: Record<'r' | 'g' | 'b', number>) => r > 180 && g < 70 && b > 180
const byHand = (roomId: string, role: RoleWord) =>
  env.enterByHand({ roomId, role, name: `API client, ${role}` })

/** Shows an image to everybody for a while; returns the number of seconds. */
async function showImage(room: Room, observer: ApiParticipant): Promise<number> {
  const content = imageOf({ r: 255, g: 0, b: 255 })
  const handout = { kind: 'image', name: 'package.bmp', content } as const
  const id = await registerHandout(env.service, room, handout)
  const moderator = await byHand(room.id, 'moderator')
  const recordedSec = async () => secondsSince(await untilRecorded(observer, 0))
  const beganSec = await recordedSec()
  await moderator.post(`/handouts/${id}/show`)
  const shownAt = performance.now()
  await untilRecorded(observer, beganSec + SHOWN_SEC)
  await moderator.post(`/handouts/${id}/hide`)
  return (performance.now() - shownAt) / 1000
}

describe('a three-person interview with the default settings', () => {
  test('is available within 60 s of the close: complete, with every voice and every tile', async () => {
    const [first, second] = [
      await launchWithVoice(VOICES.moderator),
      await launchWithVoice(VOICES.panelist),
    ]
    const room = await env.tenant.book({ room: AS_BY_DEFAULT })
    const { id: roomId } = room
    const moderator = { roomId, role: 'moderator', name: 'Mori' } as const
    const { page } = await env.enter(moderator, { browser: first, hasDevices: true })
    for (const name of ['Pana', 'Pit']) {
      await env.enter({ roomId, role: 'panelist', name }, { browser: second, hasDevices: true })
      await waitFor(() => framesShown(page, name), { what: `${name} is seen` })
    }
    const observer = await byHand(roomId, 'observer')
    const sofarSec = secondsSince(await untilRecorded(observer, 0))
    const shownSec = await showImage(room, observer)
    const since = await untilRecorded(observer, sofarSec + 8)
    const closing = performance.now()
    const leastSec = secondsSince(since)
    await env.tenant.close(roomId)
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
    const image = video.coloursAt(ON_STAGE).map((each) => isMagenta(each))
    const imageSec = image.filter(Boolean).length * FRAME_SEC
    expect(Math.abs(imageSec - shownSec)).toBeLessThan(0.5)
    const [appears, disappears] = [image.indexOf(true), image.lastIndexOf(true) + 1]
    expect(image.slice(appears, disappears)).not.toContain(false)
    const shown = (appears + disappears) * FRAME_SEC * 0.5
    expect(video.colourAt(shown, BESIDE_STAGE)).toSatisfy(isGreen)
    expect(video.codecs).toEqual(['avc', 'aac'])
    const span = { fromSec: end - 6, toSec: end }
    for (const toneHz of Object.values(VOICES)) {
      expect(video.loudnessOf(toneHz, span)).toBeGreaterThan(20 * video.loudnessOf(QUIET_HZ, span))
    }
    video.dispose()
    await untilAvailableDelivered(id)
    expect(publishedStatuses(id)).toEqual(['started', 'stopped', 'uploaded', 'available'])
  })
})

/** Records this much longer; returns bounds for the length of that part of the file. */
async function recordPart(
  moderator: ApiParticipant,
  { sec, until }: { sec: number; until: 'pause' | 'stop' },
): Promise<{ leastSec: number; mostSec: number }> {
  const { recorded_sec: beforeSec = 0 } = (await moderator.snapshot()).recording ?? {}
  const since = await untilRecorded(moderator, beforeSec + sec)
  const leastSec = secondsSince(since)
  await moderator.post(`/recording/${until}`)
  return { leastSec, mostSec: secondsSince(since) }
}

/** Adds a person for a short time: the picture of two people must not be in the file. */
async function comeAndGo(
  browser: Browser,
  roomId: string,
  moderator: ApiParticipant,
): Promise<void> {
  const arePresent = async (count: number) =>
    waitFor(async () => (await moderator.snapshot()).roster.length === count, {
      what: `${count} are inside`,
    })
  const guest = await env.enter(
    { roomId, role: 'panelist', name: 'Guest' },
    { browser, hasDevices: true },
  )
  await arePresent(2)
  await guest.context.close()
  await arePresent(1)
}

async function trim(recordingId: string): Promise<Video> {
  const order = { source: 'trim', trim_start_sec: TRIM.fromSec, trim_end_sec: TRIM.toSec }
  const path = `/recordings/${recordingId}/processed-recording`
  expect((await env.tenant.call('POST', path, order)).status).toBe(201)
  await waitFor(
    () => env.receiver.received.some(({ type }) => type === 'processed_recording.status_changed'),
    { what: 'W7 reports the trimmed video', timeoutMs: LATER_MS },
  )
  return download(recordingId, '/processed-recording')
}

/** Cuts the same range out as a clip; returns its length in seconds. */
async function clip(recordingId: string): Promise<number> {
  const order = { start_sec: TRIM.fromSec, end_sec: TRIM.toSec }
  const ordered = await env.tenant.call('POST', `/recordings/${recordingId}/clips`, order)
  expect(ordered.status).toBe(201)
  await waitFor(() => env.receiver.received.some(({ type }) => type === 'clip.status_changed'), {
    what: 'the webhook reports the clip',
    timeoutMs: LATER_MS,
  })
  const listed = await env.tenant.call('GET', `/recordings/${recordingId}/clips`)
  const { data } = (await listed.json()) as { data: { items: ClipBody[] } }
  expect(data.items).toMatchObject([{ status: 'available', failure_reason: null }])
  return data.items[0]?.duration_sec ?? 0
}

describe('a recording with a pause', () => {
  test('leaves out the pause, continues without a gap, and can be trimmed', async () => {
    const browser = await launchWithVoice(VOICES.panelist)
    const { id: roomId } = await env.tenant.book({ room: { archive_mode: 'manual' } })
    await env.enter({ roomId, role: 'panelist', name: 'Pana' }, { browser, hasDevices: true })
    await waitFor(async () => (await countTracks(env, roomId)) === 2, {
      what: 'microphone and camera are at the media server',
    })
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
    expect(emptySecs).toEqual([])
    for (let sec = 0.5; sec < video.durationSec - 0.5; sec += 0.5) {
      expect(video.volume({ fromSec: sec - 0.5, toSec: sec + 0.5 }), `at ${sec} s`).toBeGreaterThan(
        0.01,
      )
    }
    // Each part is encoded once, and they are joined by copying.
    expect(video.encoderRuns).toBe(2)
    await untilAvailableDelivered(id)
    expect(publishedStatuses(id)).toEqual([
      'started',
      'paused',
      'started',
      'stopped',
      'uploaded',
      'available',
    ])

    const trimmed = await trim(id)
    expect(Math.abs(trimmed.durationSec - (TRIM.toSec - TRIM.fromSec))).toBeLessThanOrEqual(
      FRAME_SEC + 0.001,
    )
    expect(trimmed.codecs).toEqual(['avc', 'aac'])
    const begins = await trimmed.frameAt(0)
    const differenceTo = async (sec: number) => differenceOf(begins, await video.frameAt(sec))
    const atStart = await differenceTo(TRIM.fromSec)
    expect(atStart).toBeLessThan(SAME_MAX)
    // No frame is more similar, and distant ones are different.
    for (const besideSec of [-FRAME_SEC, FRAME_SEC]) {
      expect(await differenceTo(TRIM.fromSec + besideSec)).toBeGreaterThanOrEqual(atStart)
    }
    for (const farSec of [-1, 1]) {
      expect(await differenceTo(TRIM.fromSec + farSec)).toBeGreaterThan(SAME_MAX)
    }
    expect(Math.abs((await clip(id)) - trimmed.durationSec)).toBeLessThanOrEqual(FRAME_SEC)
    trimmed.dispose()
    video.dispose()
  })
})
