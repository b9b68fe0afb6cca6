import { describe, expect, test } from 'vitest'
import { useCapturedRooms } from '../../../testing/captured-rooms.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { FILE, MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { jobRun } from '../../../testing/recordings.ts'
import { followRecordingJob, reconcileRecordingsJob } from '../recordings/follow-recording.job.ts'
import { startAutomatically } from '../transcriptions/start-transcription.ts'
import { finishRecordingJob } from './finish-recording.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const captured = useCapturedRooms(plane, rooms)
const SEGMENT_SEC = 2

/** An ended recording of captures whose files have not been checked yet. */
async function ended(segments: number) {
  const { roomId, moderator } = await captured.recording()
  const keys: string[][] = []
  for (let index = 0; index < segments; index += 1) {
    if (index > 0) {
      await moderator.post('/recording/resume')
      await captured.recorderBegins(roomId)
    }
    const egress = rooms.lastEgressOf(roomId)
    await captured.deliversChunks(egress, [1, 2])
    keys.push(captured.objectsOf(egress))
    rooms.later(SEGMENT_SEC * 1000)
    await moderator.post(index + 1 < segments ? '/recording/pause' : '/recording/stop')
    const file = { sizeBytes: 1, durationSec: SEGMENT_SEC }
    const end = { status: 'complete', file, endedAt: plane.now } as const
    plane.media.moveEgress(egress.egressId, end)
    await rooms.run(reconcileRecordingsJob(plane.deps))
    await rooms.run(followRecordingJob(plane.deps), roomId)
  }
  const { id } = await rooms.recordingOf(roomId)
  return { roomId, id, keys }
}

/** Runs the job once. Returns whether it will run again. */
async function looks(id: string): Promise<string> {
  const job = finishRecordingJob({ ...plane.deps, onAvailable: startAutomatically })
  const payload = { tenantId: plane.tenant.tenantId }
  return (await job.run({ ...jobRun(plane), key: id, payload })).outcome
}

/** Removes the objects, like an unmounted volume. Returns the function that restores them. */
function unmount(keys: readonly string[]): () => void {
  const taken = keys.map((key) => [key, plane.storage.objects.get(key)] as const)
  for (const key of keys) plane.storage.objects.delete(key)
  return () => {
    for (const [key, object] of taken) if (object) plane.storage.objects.set(key, object)
  }
}

describe('a segment that the storage does not have', () => {
  test.each([1, 2])('is awaited from the first check on, also as one of %i', async (segments) => {
    const { roomId, id, keys } = await ended(segments)
    const mount = unmount(keys[0] ?? [])
    // The service was down for that long.
    rooms.later(60 * MINUTE_MS)
    expect(await looks(id)).toBe('again')
    expect((await rooms.statusesOf(id)).at(-1)).toBe('stopped')
    rooms.later(9 * MINUTE_MS)
    expect(await looks(id)).toBe('again')
    mount()
    await captured.settle()
    await captured.compose()
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(segments * SEGMENT_SEC, 0)
  })

  test('is awaited for the whole time again after it was found once', async () => {
    const { id, keys } = await ended(1)
    const mount = unmount(keys.flat())
    await looks(id)
    rooms.later(9 * MINUTE_MS)
    mount()
    await looks(id)
    const unmounted = unmount(keys.flat())
    rooms.later(9 * MINUTE_MS)
    expect(await looks(id)).toBe('again')
    expect((await rooms.statusesOf(id)).at(-1)).toBe('stopped')
    unmounted()
  })

  test('is left out after ten minutes, and its data is not deleted when it returns', async () => {
    const { roomId, id, keys } = await ended(2)
    const mount = unmount(keys[0] ?? [])
    await looks(id)
    rooms.later(10 * MINUTE_MS)
    await looks(id)
    mount()
    await captured.settle()
    await captured.compose()
    await captured.settle()
    expect(await rooms.roomEventsOf(roomId)).toContain('recording.failed')
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(SEGMENT_SEC, 0)
    const left = keys.map((each) => each.filter((key) => plane.storage.objects.has(key)).length)
    expect(left).toEqual([2, 0])
  })
})

test('the file of a recording is awaited from the first check on', async () => {
  plane.deps.config.recordings.fromCaptures = false
  const { roomId } = await captured.recording()
  plane.deps.config.recordings.fromCaptures = true
  const egress = rooms.lastEgressOf(roomId)
  const { id } = await rooms.recordingOf(roomId)
  rooms.completes(egress)
  const mount = unmount(captured.objectsOf(egress))
  await captured.settle()
  expect((await rooms.statusesOf(id)).at(-1)).toBe('uploaded')
  // The same as if nobody had checked since.
  await plane.database.db`update recordings set missing_since = null where id = ${id}`
  rooms.later(60 * MINUTE_MS)
  expect(await looks(id)).toBe('again')
  expect((await rooms.statusesOf(id)).at(-1)).toBe('uploaded')
  mount()
  expect(await looks(id)).toBe('done')
  const { status, size } = await rooms.recordingOf(roomId)
  expect([status, size]).toEqual(['available', FILE.sizeBytes])
})
