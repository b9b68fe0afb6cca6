import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Egress } from '../../../platform/ports/egress.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { notifyOfEgress } from '../../../testing/provider-notification.ts'
import { FILE, MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { jobRun, webhooksOf } from '../../../testing/recordings.ts'
import { makeVideo } from '../../../testing/videos.ts'
import { expireRecordingsJob } from '../expire-recordings.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const DAY_MS = 24 * 60 * MINUTE_MS

let start: Date
let folder: string
let video: Buffer
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-late-'))
  const file = path.join(folder, 'segment.mp4')
  await makeVideo(file, { durationSec: 2 })
  video = await readFile(file)
})
beforeEach(() => {
  // Tokens are signed for this moment.
  start = new Date()
  plane.now = start
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function begin(output_mode = 'composed') {
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  await moderator.post('/recording/start', { output_mode })
  rooms.becomesActive(roomId)
  await rooms.settle()
  return { roomId, moderator }
}

async function endsSilently() {
  const { roomId, moderator } = await begin()
  await moderator.post('/recording/stop')
  await rooms.settle()
  rooms.later(10 * MINUTE_MS + 1000)
  await rooms.settle()
  return roomId
}

const keyOf = ({ outputPath }: Pick<Egress, 'outputPath'>) =>
  String(outputPath).split('/').slice(-3).join('/')

function hasFile(egress: Egress, sizeBytes = video.length) {
  plane.media.moveEgress(egress.egressId, {
    status: 'complete',
    file: { sizeBytes, durationSec: 2 },
    endedAt: plane.now,
  })
  plane.storage.objects.set(keyOf(egress), { body: video, mime: 'video/mp4' })
}

async function expire(recordingRetentionDays: number) {
  const config = { ...plane.deps.config, recordingRetentionDays }
  await expireRecordingsJob({ ...plane.deps, config }).run(jobRun(plane))
}

describe('a file that takes long', () => {
  test('is awaited while the provider shows that it is working on it', async () => {
    const { roomId, moderator } = await begin()
    await moderator.post('/recording/stop')
    await rooms.settle()
    const { egressId } = rooms.lastEgressOf(roomId)
    for (let round = 0; round < 10; round += 1) {
      rooms.later(9 * MINUTE_MS)
      plane.media.moveEgress(egressId, { status: 'ending', updatedAt: plane.now })
      await rooms.settle()
    }
    expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
    rooms.completes(rooms.lastEgressOf(roomId))
    await rooms.settle()
    expect(await rooms.recordingOf(roomId)).toMatchObject({
      status: 'available',
      size: FILE.sizeBytes,
    })
  })

  test('is given up ten minutes after the last sign of life', async () => {
    const { roomId, moderator } = await begin()
    await moderator.post('/recording/stop')
    await rooms.settle()
    rooms.later(9 * MINUTE_MS)
    const updatedAt = plane.now
    plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { status: 'ending', updatedAt })
    await rooms.settle()
    rooms.later(10 * MINUTE_MS - 1000)
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
    rooms.later(2000)
    await rooms.settle()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('failed')
    expect((await webhooksOf(plane, `recording:${id}`)).at(-1)?.data).toMatchObject({
      failure_reason: 'provider_failed',
    })
  })

  test('is accepted without a notification once the storage has it', async () => {
    const { roomId, moderator } = await begin()
    await moderator.post('/recording/stop')
    await rooms.settle()
    const key = keyOf(rooms.lastEgressOf(roomId))
    plane.storage.objects.set(key, { body: video, mime: 'video/mp4' })
    rooms.later(10 * MINUTE_MS + 1000)
    await rooms.settle()
    const recording = await rooms.recordingOf(roomId)
    expect(recording).toMatchObject({ status: 'available', size: video.length })
    expect(recording.duration_sec).toBeCloseTo(2, 1)
  })
})

describe('a file that arrives after it was given up', () => {
  test('is a segment of the recording until that is finished', async () => {
    const { roomId, moderator } = await begin()
    const first = rooms.lastEgressOf(roomId)
    await moderator.post('/recording/pause')
    await moderator.post('/recording/resume')
    rooms.becomesActive(roomId)
    await rooms.settle()
    rooms.later(10 * MINUTE_MS + 1000)
    await rooms.settle()
    expect(await rooms.roomEventsOf(roomId)).toContain('recording.failed')
    hasFile(first)
    await rooms.settle()
    await moderator.post('/recording/stop')
    hasFile(rooms.lastEgressOf(roomId))
    await rooms.settle()
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(4, 1)
  })

  test('does not change a failed recording, and is kept until that is deleted', async () => {
    const roomId = await endsSilently()
    const egress = rooms.lastEgressOf(roomId)
    hasFile(egress)
    await notifyOfEgress(plane, rooms.lastEgressOf(roomId))
    await rooms.settle()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('failed')
    expect(plane.storage.objects.has(keyOf(egress))).toBe(true)
    await plane.tenant.delete(`/recordings/${id}`)
    await rooms.settle()
    expect(plane.storage.objects.has(keyOf(egress))).toBe(false)
  })

  test('is kept until the retention of a failed recording is over', async () => {
    const roomId = await endsSilently()
    const egress = rooms.lastEgressOf(roomId)
    hasFile(egress)
    rooms.later(30 * DAY_MS - MINUTE_MS)
    await expire(30)
    await rooms.settle()
    expect(plane.storage.objects.has(keyOf(egress))).toBe(true)
    rooms.later(2 * MINUTE_MS)
    await expire(30)
    await rooms.settle()
    expect(plane.storage.objects.has(keyOf(egress))).toBe(false)
    plane.now = start
    expect((await rooms.recordingOf(roomId)).status).toBe('failed')
  })
})

/** A recording that ended, with the provider's report of its file. */
async function hasHalf() {
  const { roomId, moderator } = await begin()
  await moderator.post('/recording/stop')
  const egress = rooms.lastEgressOf(roomId)
  hasFile(egress)
  const half = video.subarray(0, video.length / 2)
  plane.storage.objects.set(keyOf(egress), { body: half, mime: 'video/mp4' })
  await rooms.settle()
  return { roomId, egress }
}

describe('a file whose stored size differs from the reported one', () => {
  test('counts as not stored yet', async () => {
    const { roomId, egress } = await hasHalf()
    expect((await rooms.recordingOf(roomId)).status).toBe('uploaded')
    hasFile(egress)
    await rooms.settle()
    expect(await rooms.recordingOf(roomId)).toMatchObject({
      status: 'available',
      size: video.length,
    })
  })

  test('is missing after ten minutes, and is kept with the failed recording', async () => {
    const { roomId, egress } = await hasHalf()
    rooms.later(10 * MINUTE_MS + 1000)
    await rooms.settle()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('failed')
    expect((await webhooksOf(plane, `recording:${id}`)).at(-1)?.data).toMatchObject({
      failure_reason: 'storage_missing',
    })
    expect(plane.storage.objects.has(keyOf(egress))).toBe(true)
  })

  const OFF = [-1, 1] as const

  test.each(OFF)('is the recording if it is a whole video: off by %i byte', async (bytes) => {
    const { roomId, moderator } = await begin()
    await moderator.post('/recording/stop')
    hasFile(rooms.lastEgressOf(roomId), video.length + bytes)
    await rooms.settle()
    expect(await rooms.recordingOf(roomId)).toMatchObject({
      status: 'available',
      size: video.length,
    })
  })

  test.each(['composed', 'individual'] as const)(
    'is joined with others if it is a whole video: %s',
    async (output_mode) => {
      const { roomId, moderator } = await begin(output_mode)
      await moderator.post('/recording/pause')
      hasFile(rooms.lastEgressOf(roomId), video.length + 1)
      await moderator.post('/recording/resume')
      rooms.becomesActive(roomId)
      await rooms.settle()
      await moderator.post('/recording/stop')
      hasFile(rooms.lastEgressOf(roomId), video.length - 1)
      await rooms.settle()
      const { id, status } = await rooms.recordingOf(roomId)
      expect(status).toBe('available')
      const issued = await plane.tenant.get(`/recordings/${id}/download-url`)
      expect(issued.status).toBe(200)
      expect(await rooms.roomEventsOf(roomId)).not.toContain('recording.failed')
    },
  )

  test('is missing if it has no content: uploaded, then failed after ten minutes', async () => {
    const { roomId, moderator } = await begin()
    await moderator.post('/recording/stop')
    const { egressId, outputPath } = rooms.lastEgressOf(roomId)
    plane.media.moveEgress(egressId, { status: 'complete', file: null, endedAt: plane.now })
    const key = keyOf({ outputPath })
    plane.storage.objects.set(key, { body: Buffer.alloc(0), mime: 'video/mp4' })
    await rooms.settle()
    const { id } = await rooms.recordingOf(roomId)
    rooms.later(10 * MINUTE_MS + 1000)
    await rooms.settle()
    expect(await rooms.statusesOf(id)).toEqual(['started', 'stopped', 'uploaded', 'failed'])
    expect((await webhooksOf(plane, `recording:${id}`)).at(-1)?.data).toMatchObject({
      failure_reason: 'storage_missing',
    })
  })

  test('is awaited before it is joined with others', async () => {
    const { roomId, moderator } = await begin()
    await moderator.post('/recording/pause')
    const first = rooms.lastEgressOf(roomId)
    hasFile(first)
    plane.storage.objects.set(keyOf(first), { body: video.subarray(9), mime: 'video/mp4' })
    await moderator.post('/recording/resume')
    rooms.becomesActive(roomId)
    await rooms.settle()
    await moderator.post('/recording/stop')
    hasFile(rooms.lastEgressOf(roomId))
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
    hasFile(first)
    await rooms.settle()
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(4, 1)
  })
})
