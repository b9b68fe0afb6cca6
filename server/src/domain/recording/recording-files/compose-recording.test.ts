import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { packCapture } from '@interview-room/composer/capture/capture-archive.ts'
import {
  type CaptureEvent,
  encodeCaptureEvent,
} from '@interview-room/composer/capture/capture-events.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { findFfmpeg } from '../../../platform/media-files/find-ffmpeg.ts'
import { MediaFileError } from '../../../platform/media-files/media-file-error.ts'
import type { Egress } from '../../../platform/ports/egress.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { addHandout } from '../../../testing/handouts.ts'
import { IMAGES } from '../../../testing/images.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { jobRun } from '../../../testing/recordings.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { makeVideo } from '../../../testing/videos.ts'
import { SOON } from '../../../testing/wait-for.ts'
import { readBoard } from '../../board/read-board.ts'
import { releaseHandoutFileJob } from '../../handouts/release-handout-file.job.ts'
import { measureStored } from '../recordings/measure-segment.ts'
import { startAutomatically } from '../transcriptions/start-transcription.ts'
import { extractEntry, readEntry } from '../transcriptions/unzip.ts'
import { composeRecordingJob } from './finish-recording.job.ts'

const run = promisify(execFile)
const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
// Not a whole number of milliseconds, as the provider may report.
const SEGMENT_SEC = 1.000_4
const SIZE = { width: 640, height: 480 }
const COLOUR_MAX = 16
/** Brightness between the background and an empty tile. */
const GROUND_MAX = 15
const LETTER_MIN = 120

let folder: string
let count = 0
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-compose-'))
  plane.deps.config.recordings.fromCaptures = true
})
beforeEach(() => {
  // Tokens are signed for this moment.
  plane.now = new Date()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const keyOf = ({ outputPath }: Egress) => String(outputPath).split('/').slice(-3).join('/')

/** The provider's capture of people without cameras. Only the one of `named` has a name. */
async function captureFrom(startMs: number, people = ['a', 'b'], named = ''): Promise<Buffer> {
  const capture = path.join(folder, String(++count))
  await mkdir(capture)
  const joined = people.map((participant) => ({
    fact: 'joined' as const,
    atMs: startMs,
    participant,
    identity: participant,
    name: participant === named ? 'Name' : '',
  }))
  const events: CaptureEvent[] = [
    ...joined,
    { fact: 'active', atMs: startMs },
    { fact: 'stopped', atMs: startMs + SEGMENT_SEC * 1000 },
  ]
  const content = Buffer.concat(events.map(encodeCaptureEvent))
  await writeFile(path.join(capture, 'facts.jsonl'), content)
  await packCapture(capture, `${capture}.capture`)
  return readFile(`${capture}.capture`)
}

function hasDelivered(egress: Egress, body: Buffer): void {
  plane.media.moveEgress(egress.egressId, {
    status: 'complete',
    file: { sizeBytes: body.length, durationSec: SEGMENT_SEC },
    endedAt: plane.now,
  })
  plane.storage.objects.set(keyOf(egress), { body, mime: 'application/x-tar' })
}

/** A recording of these captures, with a pause between any two. */
async function recordedWith(
  roomId: string,
  moderator: Awaited<ReturnType<typeof rooms.come>>,
  delivered: readonly Buffer[],
): Promise<string> {
  await moderator.post('/recording/start')
  for (const [index, body] of delivered.entries()) {
    if (index > 0) await moderator.post('/recording/resume')
    rooms.becomesActive(roomId)
    await rooms.settle()
    rooms.later(SEGMENT_SEC * 1000)
    await moderator.post('/recording/pause')
    hasDelivered(rooms.lastEgressOf(roomId), body)
  }
  await moderator.post('/recording/stop')
  await rooms.settle()
  const { id } = await rooms.recordingOf(roomId)
  // The captures have other times than the test, so move the request to end after them.
  await plane.database.db`
    update recording_segments set ends_asked_at = ends_asked_at + interval '1 hour'
     where recording_id = ${id}
  `
  return id
}

async function opened() {
  const { id: roomId, session } = await plane.book({ archiveMode: 'manual' })
  const moderator = await rooms.come(roomId, 'moderator')
  return { roomId: String(roomId), sessionId: String(session.id), moderator }
}

const composing = () => composeRecordingJob({ ...plane.deps, onAvailable: startAutomatically })

/** Runs the job for the nth time since its last success. */
async function compose(id: string, attempt = 1, signal = jobRun(plane).signal): Promise<void> {
  const payload = { tenantId: plane.tenant.tenantId }
  await composing().run({ ...jobRun(plane), key: id, payload, attempt, signal })
}

const composingJobs = async () =>
  (
    await plane.database.db<{ at: Date }[]>`
      select due_at as at from jobs where kind = 'compose-recording'
    `
  ).map(({ at }) => at)

/** The stored progress, and the number of live events about the recording. */
async function progressOf(id: string) {
  const [row] = await plane.database.db<{ percent: number | null; published: number }[]>`
    select c.composed_percent as percent,
           (select count(*)::integer
              from live_events e
             where e.room_id = c.room_id and e.name = 'recording') as published
      from recordings c
     where c.id = ${id}
  `
  return row
}

async function statusOf(roomId: string): Promise<string> {
  return (await rooms.recordingOf(roomId)).status
}

async function decoded(file: string, args: readonly string[]): Promise<Buffer> {
  const ffmpeg = await findFfmpeg(plane.deps.config.ffmpegPath)
  const output = [...args, '-frames:v', '1', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-']
  const options = { encoding: 'buffer', maxBuffer: 16 * 1024 * 1024 } as const
  return (await run(ffmpeg, ['-v', 'error', '-i', file, ...output], options)).stdout
}

async function storedFileOf(recordingId: string): Promise<Buffer> {
  const [row] = await plane.database.db<{ key: string }[]>`
    select storage_key as key from recordings where id = ${recordingId}
  `
  return plane.storage.objects.get(row?.key ?? '')?.body ?? Buffer.alloc(0)
}

/** The colour in the middle of the presentation, at a second of the recording. */
async function stageAt(recordingId: string, sec: number): Promise<number[]> {
  const file = path.join(folder, 'recording.mp4')
  await writeFile(file, await storedFileOf(recordingId))
  return middleOf(file, sec)
}

/** The colour at the middle of the presentation. */
const middleOf = (file: string, sec: number) => colourOf(file, sec, { x: 240, y: SIZE.height / 2 })

async function colourOf(
  file: string,
  sec: number,
  { x, y }: { x: number; y: number },
): Promise<number[]> {
  const picture = await decoded(file, ['-ss', String(sec)])
  expect(picture).toHaveLength(SIZE.width * SIZE.height * 3)
  const at = (y * SIZE.width + x) * 3
  return [...picture.subarray(at, at + 3)]
}

/** True if the lower left corner is empty: the background is darker than an empty tile. */
async function isGroundInCorner(video: Buffer, sec: number): Promise<boolean> {
  const file = path.join(folder, 'recording.mp4')
  await writeFile(file, video)
  const [red = 0] = await colourOf(file, sec, { x: 40, y: SIZE.height - 20 })
  return red < GROUND_MAX
}

/** The half of the picture in which a name is written. */
async function halfWithName(video: Buffer, sec: number): Promise<'left' | 'right' | undefined> {
  const file = path.join(folder, 'recording.mp4')
  await writeFile(file, video)
  const picture = await decoded(file, ['-ss', String(sec)])
  const at = picture.findIndex((red, index) => index % 3 === 0 && red > LETTER_MIN)
  if (at === -1) return undefined
  return (at / 3) % SIZE.width < SIZE.width / 2 ? 'left' : 'right'
}

async function isImage(colour: readonly number[]): Promise<boolean> {
  const file = path.join(folder, 'image.png')
  await writeFile(file, IMAGES.png)
  const expected = [...(await decoded(file, [])).subarray(0, 3)]
  return colour.every((value, i) => Math.abs(value - (expected[i] ?? 0)) < COLOUR_MAX)
}

describe('a recording that the provider delivers as captures', () => {
  test('is composed of all of them and the presented handouts, even if these were deleted meanwhile', async () => {
    const { roomId, sessionId, moderator } = await opened()
    const { id: handoutId } = await addHandout(plane, sessionId)
    const [handout] = await plane.database.db<{ key: string }[]>`
      select storage_key as key from handouts where id = ${handoutId}
    `
    await moderator.post(`/handouts/${handoutId}/show`)
    const [shown] = await plane.database.db<{ at: Date }[]>`
      select max(created_at) as at from room_events where room_id = ${roomId}
    `
    const shownMs = shown?.at.getTime() ?? 0
    await moderator.post(`/handouts/${handoutId}/hide`)
    // The same as if it had been hidden a minute later.
    await plane.database.db`
      update room_events set created_at = created_at + interval '1 minute'
       where room_id = ${roomId} and event_type = 'handout.hide'
    `
    const id = await recordedWith(roomId, moderator, [
      await captureFrom(shownMs + 1000),
      await captureFrom(shownMs + 70_000),
    ])
    expect(rooms.egressesOf(roomId).map((egress) => keyOf(egress))).toEqual([
      expect.stringMatching(/\.capture$/),
      expect.stringMatching(/\.capture$/),
    ])
    const before = await composingJobs()
    await plane.database.db`
      update jobs set due_at = due_at + interval '1 hour' where kind = 'compose-recording'
    `
    await rooms.settle()
    const [after] = await composingJobs()
    expect(after?.getTime()).toBe((before[0]?.getTime() ?? 0) + 60 * MINUTE_MS)
    // The recording waits in the queue of compositions, so its handouts are kept.
    expect(await statusOf(roomId)).toBe('stopped')
    expect((await plane.tenant.delete(`/handouts/${handoutId}`)).status).toBe(204)
    await rooms.settle()
    expect(plane.storage.objects.has(handout?.key ?? '')).toBe(true)

    await runJobs(plane.database.db, composing())
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(2 * SEGMENT_SEC, 0)
    expect(await isImage(await stageAt(id, 0.5))).toBe(true)
    expect(await isImage(await stageAt(id, 1.5))).toBe(false)
    expect((await rooms.statusesOf(id)).slice(-3)).toEqual(['stopped', 'uploaded', 'available'])
    const measured = await plane.database.db`
      select people from recording_activities where recording_id = ${id}
    `
    expect(measured).toEqual([{ people: [] }])

    await runJobs(plane.database.db, releaseHandoutFileJob(plane.deps))
    await rooms.settle()
    const left = [...plane.storage.objects.keys()]
    expect(left.filter((key) => /handouts|recording-parts/.test(key))).toEqual([])
  })

  test('shows the person in the spotlight large while it lasts', async () => {
    const { roomId, moderator } = await opened()
    const { participantId } = moderator
    await moderator.post(`/participants/${participantId}/spotlight`)
    const [event] = await plane.database.db<{ at: Date }[]>`
      select max(created_at) as at from room_events where room_id = ${roomId}
    `
    const beganMs = event?.at.getTime() ?? 0
    await moderator.post('/spotlight/end')
    // The same as if it had ended a minute later.
    await plane.database.db`
      update room_events set created_at = created_at + interval '1 minute'
       where room_id = ${roomId} and event_type = 'spotlight.ended'
    `
    const people = ['a', participantId]
    const id = await recordedWith(roomId, moderator, [
      await captureFrom(beganMs + 1000, people),
      await captureFrom(beganMs + 70_000, people),
    ])
    await runJobs(plane.database.db, composing())
    const file = await storedFileOf(id)
    // The area beside the small tile is empty, while a grid of two fills the picture.
    expect(await isGroundInCorner(file, 0.5)).toBe(true)
    expect(await isGroundInCorner(file, 1.5)).toBe(false)
  })

  test('shows the moderator first in every segment, whatever the order of the people in it', async () => {
    const { id: roomId } = await plane.book({ archiveMode: 'manual' })
    const panelist = await rooms.come(String(roomId), 'panelist')
    const moderator = await rooms.come(String(roomId), 'moderator')
    const [first, second] = [moderator.participantId, panelist.participantId]
    const id = await recordedWith(String(roomId), moderator, [
      await captureFrom(Date.now(), [second, first], second),
      await captureFrom(Date.now(), [first, second], second),
    ])
    await runJobs(plane.database.db, composing())
    const file = await storedFileOf(id)
    expect(await halfWithName(file, 0.5)).toBe('right')
    expect(await halfWithName(file, 1.5)).toBe('right')
  })

  test('leaves out segments without a capture, which the room log records', async () => {
    const { roomId, moderator } = await opened()
    const whole = await captureFrom(Date.now())
    const broken = whole.subarray(0, 700)
    const id = await recordedWith(roomId, moderator, [whole, broken])
    await expect(compose(id)).rejects.toThrow(MediaFileError)
    expect(await statusOf(roomId)).toBe('stopped')
    await compose(id, 3)
    await compose(id)
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(SEGMENT_SEC, 0)
    expect(await rooms.roomEventsOf(roomId)).toContain('recording.failed')
  })

  test('is joined with segments that are videos', async () => {
    const { roomId, moderator } = await opened()
    const file = path.join(folder, 'former.mp4')
    await makeVideo(file, { durationSec: SEGMENT_SEC, size: '640x480' })
    const video = await readFile(file)
    const id = await recordedWith(roomId, moderator, [video, await captureFrom(Date.now())])
    await plane.database.db`
      update recording_segments set storage_key = replace(storage_key, '.capture', '.mp4')
       where recording_id = ${id} and position = 0
    `
    for (const [key, object] of plane.storage.objects) {
      if (object.body === video) plane.storage.objects.set(key.replace('.capture', '.mp4'), object)
    }
    await compose(id)
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(2 * SEGMENT_SEC, 0)
  })

  // contract: pauseRecording, stopRecording › what is said or shown after the answer is not in the recording
  test('contains nothing captured after the request to end, however late the provider received it', async () => {
    const { roomId, moderator } = await opened()
    const startMs = Date.now()
    const id = await recordedWith(roomId, moderator, [await captureFrom(startMs)])
    await plane.database.db`
      update recording_segments set ends_asked_at = ${new Date(startMs + 500)}, clock_offset_ms = 100
       where recording_id = ${id}
    `
    await compose(id)
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(0.6, 1)
  })

  test('is left unchanged by a worker that stops, and is made by the next', async () => {
    const { roomId, moderator } = await opened()
    const id = await recordedWith(roomId, moderator, [await captureFrom(Date.now())])
    const { published = 0 } = (await progressOf(id)) ?? {}
    const stopping = new AbortController()
    const reading = vi.spyOn(plane.storage, 'read').mockImplementationOnce(async () => {
      stopping.abort(new Error('the worker stops'))
      return Readable.from([])
    })
    await expect(compose(id, 1, stopping.signal)).rejects.toThrow('the worker stops')
    expect(reading).toHaveBeenCalled()
    reading.mockRestore()
    // It had begun and published that.
    await vi.waitFor(
      async () => expect(await progressOf(id)).toEqual({ percent: 0, published: published + 1 }),
      SOON,
    )
    expect(await statusOf(roomId)).toBe('stopped')
    await compose(id)
    expect(await statusOf(roomId)).toBe('available')
  })

  // contract: Fields of a Recording › `estimated_available_at`: an extension, when the file is likely to be
  //   there while it is composed; null when that is not known
  // contract: streamRoom, startRecording, pauseRecording, resumeRecording, stopRecording ›
  //   `composed_percent` and `estimated_available_at` of the recording while its file is composed or
  //   waits for it, else null; `is_available` when it is there; `missing_sec` when somebody is missing in it
  test('reports its progress to the tenant and to the room', async () => {
    const { roomId, moderator } = await opened()
    const id = await recordedWith(roomId, moderator, [await captureFrom(Date.now())])
    const estimateOf = async () => (await rooms.recordingOf(roomId)).estimated_available_at
    const shownPercent = async () => {
      const listening = await moderator.listen()
      return (await listening.wait('snapshot')).recording?.composed_percent
    }
    expect(await shownPercent()).toBeNull()
    plane.now = new Date('2026-06-01T10:00:30Z')
    await plane.database.db`
      update recordings
         set composing_since = '2026-06-01T10:00:00Z', composed_percent = 50, composed_at = ${plane.now}
       where id = ${id}
    `
    expect(await estimateOf()).toBe('2026-06-01T10:01:00.000Z')
    plane.now = new Date()
    expect(await shownPercent()).toBe(50)
    await compose(id)
    expect([await estimateOf(), await shownPercent()]).toEqual([null, null])
  })

  test('is estimated while it waits, from the pace of earlier ones', async () => {
    const before = await opened()
    const done = await recordedWith(before.roomId, before.moderator, [
      await captureFrom(Date.now()),
    ])
    await compose(done)
    await plane.database.db`
      update recordings
         set composing_since = '2026-06-01T10:00:00Z', composed_percent = 100,
             composed_at = '2026-06-01T10:00:30Z', duration_sec = 300
       where id = ${done}
    `
    await plane.database.db`
      update recordings set composed_percent = null where id <> ${done} and status <> 'stopped'
    `
    await plane.database.db`delete from jobs where kind = 'compose-recording'`
    const { roomId, moderator } = await opened()
    await recordedWith(roomId, moderator, [await captureFrom(Date.now())])
    const { data } = await plane.tenant.get(`/rooms/${roomId}/recordings`)
    const estimate = data.items[0].estimated_available_at
    // A tenth of the recorded length.
    expect(Date.parse(estimate) - plane.now.getTime()).toBeCloseTo(SEGMENT_SEC * 100, -1)
    const shown = await (await moderator.listen()).wait('snapshot')
    expect(shown.recording?.estimated_available_at).toBe(estimate)
    const board = await readBoard(plane.deps, plane.tenant.tenantId)
    expect(board.rooms.find(({ id }) => id === roomId)?.recording).toMatchObject({
      status: 'stopped',
      estimated_available_at: estimate,
    })
  })

  test('measures a capture whose end the provider did not report', async () => {
    const body = await captureFrom(Date.now())
    const storageKey = `${plane.tenant.tenantId}/recording-parts/${crypto.randomUUID()}.capture`
    plane.storage.objects.set(storageKey, { body, mime: 'application/x-tar' })
    const { storage } = plane.deps
    expect(await measureStored(storage, { storageKey })).toMatchObject({
      file: { sizeBytes: body.length, durationSec: expect.closeTo(SEGMENT_SEC, 2) },
    })
    plane.storage.objects.set(storageKey, { body: body.subarray(5), mime: 'application/x-tar' })
    expect(await measureStored(storage, { storageKey })).toBeNull()
  })
})

describe('an individual recording that the provider delivers as captures', () => {
  test('has one video for each person, without the presentations', async () => {
    const { roomId, sessionId, moderator } = await opened()
    const { id: handoutId } = await addHandout(plane, sessionId)
    await moderator.post(`/handouts/${handoutId}/show`)
    const panelist = await rooms.come(roomId, 'panelist')
    await moderator.post('/recording/start', { output_mode: 'individual' })
    await rooms.settle()
    const egresses = rooms.egressesOf(roomId)
    expect(egresses.map((egress) => keyOf(egress))).toEqual([
      expect.stringMatching(/\.capture$/),
      expect.stringMatching(/\.capture$/),
    ])
    rooms.becomesActive(roomId)
    await rooms.settle()
    await moderator.post('/recording/stop')
    const capture = await captureFrom(Date.now() - 60_000)
    for (const egress of rooms.egressesOf(roomId)) hasDelivered(egress, capture)
    await rooms.settle()
    expect(await statusOf(roomId)).toBe('stopped')

    await runJobs(plane.database.db, composing())
    const { id, status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(SEGMENT_SEC, 0)
    const archive = path.join(folder, `${id}.zip`)
    await writeFile(archive, await storedFileOf(id))
    const { files } = JSON.parse((await readEntry(archive, 'manifest.json')).toString())
    const expectedOf = ({ participantId }: { participantId: string }) => ({
      participant_id: participantId,
      duration_sec: expect.closeTo(SEGMENT_SEC, 0),
      codecs: { video: 'h264', audio: 'aac' },
    })
    expect(files).toHaveLength(2)
    expect(files).toContainEqual(expect.objectContaining(expectedOf(moderator)))
    expect(files).toContainEqual(expect.objectContaining(expectedOf(panelist)))
    const video = path.join(folder, 'person.mp4')
    await extractEntry(archive, files[0].name, video)
    expect(await isImage(await middleOf(video, 0.5))).toBe(false)
    await rooms.settle()
    const left = egresses.filter((egress) => plane.storage.objects.has(keyOf(egress)))
    expect(left).toEqual([])
  })

  test('leaves out the person whose capture is unreadable', async () => {
    const { roomId, moderator } = await opened()
    await rooms.come(roomId, 'panelist')
    await moderator.post('/recording/start', { output_mode: 'individual' })
    await rooms.settle()
    rooms.becomesActive(roomId)
    await rooms.settle()
    await moderator.post('/recording/stop')
    const whole = await captureFrom(Date.now() - 60_000)
    for (const egress of rooms.egressesOf(roomId)) {
      const isOfModerator = egress.spec.identity === moderator.participantId
      hasDelivered(egress, isOfModerator ? whole.subarray(0, 700) : whole)
    }
    await rooms.settle()
    const { id } = await rooms.recordingOf(roomId)
    await expect(compose(id)).rejects.toThrow(MediaFileError)
    await compose(id, 3)
    await compose(id)
    expect(await statusOf(roomId)).toBe('available')
    const archive = path.join(folder, `${id}.zip`)
    await writeFile(archive, await storedFileOf(id))
    const { files } = JSON.parse((await readEntry(archive, 'manifest.json')).toString())
    expect(files).toEqual([expect.objectContaining({ role: 'panelist' })])
  })
})
