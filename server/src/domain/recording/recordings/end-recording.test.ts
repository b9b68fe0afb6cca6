import { describe, expect, test } from 'vitest'
import { deleteObjectsJob } from '../../../platform/storage/delete-objects.job.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { jobRun, putObject } from '../../../testing/recordings.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { followRecordingJob } from './follow-recording.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const objectsOf = () =>
  [...plane.storage.objects.keys()].filter((key) => key.includes('/recording'))

describe('the end of the room', () => {
  // contract: How a Recording runs › Closing the Room stops it, and it is kept
  test('stops the recording, which is kept', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    rooms.becomesActive(roomId)
    await rooms.settle()
    expect((await plane.tenant.post(`/rooms/${roomId}/close`)).status).toBe(200)
    const { id } = await rooms.recordingOf(roomId)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'stopped'])
    await rooms.settle()
    rooms.completes(rooms.lastEgressOf(roomId))
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('available')
  })

  // contract: How a Recording runs › Closing while the egress begins leaves none running
  test('while the egress begins leaves no egress running', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    await plane.tenant.post(`/rooms/${roomId}/close`)
    await rooms.settle()
    expect(rooms.lastEgressOf(roomId).status).toBe('ending')
    plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { status: 'aborted' })
    await rooms.settle()
    const recording = await rooms.recordingOf(roomId)
    expect(recording.status).toBe('failed')
    expect(await rooms.statusesOf(recording.id)).toEqual(['started', 'stopped', 'failed'])
  })

  // contract: How a Recording runs › The end of the window stops it
  test('by its window stops the recording', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    rooms.becomesActive(roomId)
    await rooms.settle()
    const { session } = (await plane.tenant.get(`/rooms/${roomId}`)).data
    const before = plane.now
    plane.now = new Date(Date.parse(session.ends_at) + 31 * MINUTE_MS)
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
    plane.now = before
  })
})

describe('a recording that is deleted before its file exists', () => {
  // contract: How a Recording runs › Deleted before its file is there: no egress, no object is left
  test('leaves no egress and no object', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    rooms.becomesActive(roomId)
    await rooms.settle()
    const before = objectsOf()
    await moderator.post('/recording/stop')
    const { id } = await rooms.recordingOf(roomId)
    expect((await plane.tenant.delete(`/recordings/${id}`)).status).toBe(204)
    await rooms.settle()
    rooms.completes(rooms.lastEgressOf(roomId))
    await rooms.settle()
    expect(objectsOf()).toEqual(before)
    expect(await rooms.recordingsOf(roomId)).toHaveLength(0)
    const left = await plane.database.db`select 1 from recording_segments where room_id = ${roomId}`
    expect(left).toHaveLength(0)
  })
  test('leaves no object that the provider stores after its last notification', async () => {
    const { db } = plane.database
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    rooms.becomesActive(roomId)
    await rooms.settle()
    await moderator.post('/recording/stop')
    const { id } = await rooms.recordingOf(roomId)
    expect((await plane.tenant.delete(`/recordings/${id}`)).status).toBe(204)
    const egress = rooms.lastEgressOf(roomId)
    plane.media.moveEgress(egress.egressId, { status: 'failed', endedAt: plane.now })
    await runJobs(db, followRecordingJob(plane.deps))
    const segments = await db`select 1 from recording_segments where room_id = ${roomId}`
    expect(segments).toHaveLength(0)
    const orders = await db<{ key: string; payload: Record<string, unknown>; dueAt: Date }[]>`
      delete from jobs where kind = 'delete-objects' returning key, payload, due_at as "dueAt"
    `
    const [now, late, last] = orders.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
    expect(late?.dueAt.getTime()).toBeGreaterThanOrEqual(plane.now.getTime() + 60 * MINUTE_MS)
    // A recorder retries its delivery for a day.
    const dayMs = 24 * 60 * MINUTE_MS
    expect(last?.dueAt.getTime()).toBeGreaterThan(plane.now.getTime() + dayMs)
    const run = async (order: typeof now) =>
      deleteObjectsJob(plane.deps).run({ ...jobRun(plane), payload: order?.payload ?? {} })
    await run(now)
    const key = String(egress.outputPath).split('/').slice(-3).join('/')
    for (const order of [late, last]) {
      putObject(plane, key, 'x')
      await run(order)
      expect(plane.storage.objects.has(key)).toBe(false)
    }
  })
})
