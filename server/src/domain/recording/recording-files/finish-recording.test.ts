import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MediaFileError } from '../../../platform/media-files/media-file-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { Egress } from '../../../platform/ports/egress.ts'
import { StorageError } from '../../../platform/ports/storage.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { jobRun, webhooksOf } from '../../../testing/recordings.ts'
import { makeVideo } from '../../../testing/videos.ts'
import { followRecordingJob } from '../recordings/follow-recording.job.ts'
import { startAutomatically } from '../transcriptions/start-transcription.ts'
import { finishRecordingJob, joinRecordingJob } from './finish-recording.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const HOUR_MS = 60 * MINUTE_MS
const SEGMENT_SEC = 2

let start: Date
let folder: string
let video: Buffer
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-finish-'))
  const file = path.join(folder, 'segment.mp4')
  await makeVideo(file, { durationSec: SEGMENT_SEC })
  video = await readFile(file)
})
beforeEach(() => {
  // Tokens are signed for this moment.
  start = new Date()
  plane.now = start
  plane.storage.isDown = false
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const keyOf = ({ outputPath }: Egress) => String(outputPath).split('/').slice(-3).join('/')
const keysOf = (roomId: string) => rooms.egressesOf(roomId).map(keyOf)
const areThere = (keys: string[]) => keys.every((key) => plane.storage.objects.has(key))

function hasWritten(egress: Egress, body: Buffer) {
  plane.media.moveEgress(egress.egressId, {
    status: 'complete',
    file: { sizeBytes: body.length, durationSec: SEGMENT_SEC },
    endedAt: plane.now,
  })
  plane.storage.objects.set(keyOf(egress), { body, mime: 'video/mp4' })
}

/** A recording that was paused and ended, and whose file is still to be made. */
async function endedWith(...segments: Buffer[]) {
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  await moderator.post('/recording/start')
  for (const [index, body] of segments.entries()) {
    if (index > 0) await moderator.post('/recording/resume')
    rooms.becomesActive(roomId)
    await rooms.settle()
    await moderator.post('/recording/pause')
    hasWritten(rooms.lastEgressOf(roomId), body)
  }
  await moderator.post('/recording/stop')
  await rooms.run(followRecordingJob(plane.deps), roomId)
  const { id } = await rooms.recordingOf(roomId)
  return { roomId, id }
}

/** Runs the job that makes the file for the nth time since its last success. */
async function finish(id: string, attempt: number, deps: Partial<Deps> = {}): Promise<void> {
  const { db } = plane.database
  const payload = { tenantId: plane.tenant.tenantId }
  const run = { ...jobRun(plane), key: id, payload, attempt }
  const finishing = { ...plane.deps, onAvailable: startAutomatically, ...deps }
  await finishRecordingJob(finishing).run(run)
  const joins = await db`delete from jobs where kind = 'join-recording' and key = ${id} returning 1`
  if (joins.length > 0) await joinRecordingJob(finishing).run(run)
}

const failureOf = async (id: string) =>
  (await webhooksOf(plane, `recording:${id}`)).at(-1)?.data['failure_reason']

const without = (call: 'put' | 'locate', error: Error): Partial<Deps> => ({
  storage: { ...plane.storage, [call]: () => Promise.reject(error) },
})
const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })

const OUT_OF_REACH: [problem: string, reason: string, deps: () => Partial<Deps>][] = [
  [
    'no ffmpeg',
    'internal',
    () => ({ config: { ...plane.deps.config, ffmpegPath: path.join(folder, 'nowhere') } }),
  ],
  ['a full disk', 'internal', () => without('put', full)],
  [
    'a program that is too slow',
    'internal',
    () => without('locate', new MediaFileError('timed_out', 'ffmpeg ran for too long')),
  ],
  [
    'a storage that accepts no file',
    'upload_failed',
    () => without('put', new StorageError('the storage is down')),
  ],
]

test('the duration of a recording comes from its file, whatever the provider reported', async () => {
  const { roomId, id } = await endedWith(video)
  const [{ durationSec }] = await plane.database.db<[{ durationSec: number }]>`
    update recording_segments set duration_sec = 0.5 where recording_id = ${id}
    returning duration_sec as "durationSec"
  `
  expect(durationSec).toBe(0.5)
  await finish(id, 1)
  const { status, duration_sec } = await rooms.recordingOf(roomId)
  expect(status).toBe('available')
  expect(duration_sec).toBeCloseTo(SEGMENT_SEC, 0)
})

describe('segments that must be joined', () => {
  test.each(OUT_OF_REACH)('survive a day of %s', async (_problem, _reason, broken) => {
    const { roomId, id } = await endedWith(video, video)
    rooms.later(23 * HOUR_MS)
    await expect(finish(id, 290, broken())).rejects.toBeInstanceOf(Error)
    expect((await rooms.statusesOf(id)).at(-1)).toBe('stopped')
    await finish(id, 291)
    plane.now = start
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(2 * SEGMENT_SEC, 1)
  })

  test.each(OUT_OF_REACH)('are kept after more than a day of %s: %s', async (_, reason, broken) => {
    const { roomId, id } = await endedWith(video, video)
    rooms.later(24 * HOUR_MS + MINUTE_MS)
    // A day without attempts does not count.
    await expect(finish(id, 1, broken())).rejects.toBeInstanceOf(Error)
    await finish(id, 290, broken())
    expect((await rooms.statusesOf(id)).at(-1)).toBe('failed')
    expect(await failureOf(id)).toBe(reason)
    await rooms.settle()
    expect(areThere(keysOf(roomId))).toBe(true)
    plane.now = start
    await plane.tenant.delete(`/recordings/${id}`)
    await rooms.settle()
    expect(keysOf(roomId).some((key) => plane.storage.objects.has(key))).toBe(false)
  })

  test.each([
    ['is no video', () => Buffer.from('no video at all')],
    ['is broken in the middle', () => video.subarray(0, Math.floor(video.length / 2))],
  ])('are joined without a segment that %s, which the room log records', async (_, broken) => {
    const { roomId, id } = await endedWith(video, broken(), video)
    await expect(finish(id, 1)).rejects.toThrow(MediaFileError)
    expect((await rooms.statusesOf(id)).at(-1)).toBe('stopped')
    await finish(id, 3)
    await rooms.settle()
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(2 * SEGMENT_SEC, 1)
    const { items } = (await plane.tenant.get(`/rooms/${roomId}/room-events?limit=100`)).data
    const published = items.filter(
      (each: { event_type: string }) => each.event_type === 'recording.failed',
    )
    expect(published).toMatchObject([
      {
        payload: { recording_id: id, failure_reason: 'provider_failed', is_partly_kept: true },
      },
    ])
  })

  test('fail the recording when all are unreadable, and are kept', async () => {
    const nothing = Buffer.from('no video at all')
    const { roomId, id } = await endedWith(nothing, nothing)
    await finish(id, 3)
    expect((await rooms.statusesOf(id)).at(-1)).toBe('failed')
    expect(await failureOf(id)).toBe('provider_failed')
    await rooms.settle()
    expect(areThere(keysOf(roomId))).toBe(true)
  })

  test('that were all lost before the end fail the recording', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start', { output_mode: 'individual' })
    rooms.becomesActive(roomId)
    await rooms.settle()
    plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { status: 'failed' })
    await rooms.settle()
    await moderator.post('/recording/stop')
    await rooms.settle()
    const { id } = await rooms.recordingOf(roomId)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'stopped', 'failed'])
    expect(await failureOf(id)).toBe('provider_failed')
  })
})
