import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { JobOutcome } from '../../../platform/jobs/job.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import type { Storage } from '../../../platform/ports/storage.ts'
import { useCapturedRooms } from '../../../testing/captured-rooms.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { notifyOfEgress } from '../../../testing/provider-notification.ts'
import { reconcilePass } from '../../../testing/reconcile-pass.ts'
import { MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { jobRun } from '../../../testing/recordings.ts'
import { startAutomatically } from '../transcriptions/start-transcription.ts'
import { composeRecordingJob } from './finish-recording.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const captured = useCapturedRooms(plane, rooms)
const CHUNK_SEC = 1

/** Runs the job once, and `meanwhile` between making and storing the file. */
async function compose(id: string, meanwhile = async () => {}): Promise<JobOutcome> {
  const put: Storage['put'] = async (...file) => {
    const stored = await plane.storage.put(...file)
    await meanwhile()
    return stored
  }
  const storage = { ...plane.storage, put }
  const job = composeRecordingJob({ ...plane.deps, storage, onAvailable: startAutomatically })
  const payload = { tenantId: plane.tenant.tenantId }
  return job.run({ ...jobRun(plane), key: id, payload })
}

function nobodyAnswers(): void {
  plane.media.onCall = (call) => {
    if (/Egress/.test(call)) throw new MediaError('unreachable')
  }
}

describe('data delivered while the file is being composed', () => {
  test('is in the file if its segment had been given up', async () => {
    const { roomId, moderator, egress } = await captured.recording()
    rooms.later(2000)
    await moderator.post('/recording/pause')
    await moderator.post('/recording/resume')
    await captured.recorderBegins(roomId)
    const second = rooms.lastEgressOf(roomId)
    await captured.deliversChunks(second, [1, 2])
    rooms.later(2000)
    await moderator.post('/recording/stop')
    const file = { sizeBytes: 1, durationSec: 2 }
    const end = { status: 'complete', file, endedAt: plane.now } as const
    plane.media.moveEgress(second.egressId, end)
    await captured.settle()
    rooms.later(10 * MINUTE_MS)
    await captured.settle()
    expect(await rooms.roomEventsOf(roomId)).toContain('recording.failed')
    const { id } = await rooms.recordingOf(roomId)

    const { outcome } = await compose(id, async () => {
      await captured.deliversChunks(egress, [1, 2])
      await notifyOfEgress(plane, { ...egress, ...end })
    })
    expect([outcome, (await rooms.recordingOf(roomId)).status]).toEqual(['again', 'stopped'])
    await compose(id)
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(4 * CHUNK_SEC, 0)
  })

  test('is in the file if its segment had been taken from the storage before', async () => {
    const { roomId, moderator, egress } = await captured.recording()
    await captured.deliversChunks(egress, [1, 2])
    plane.media.loseWorkerOf(egress.egressId)
    plane.media.disconnect(roomId, egress.egressId)
    await rooms.run(reconcilePass(plane.deps))
    rooms.later(31_000)
    await captured.settle()
    await moderator.post('/recording/stop')
    // The next segment has not begun.
    plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { status: 'aborted' })
    await captured.settle()
    const { id } = await rooms.recordingOf(roomId)

    const { outcome } = await compose(id, () => captured.deliversChunks(egress, [3, 4]))
    expect([outcome, (await rooms.recordingOf(roomId)).status]).toEqual(['again', 'stopped'])
    await compose(id)
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(4 * CHUNK_SEC, 0)
    const { data } = await plane.tenant.get(`/recordings/${id}/timeline`)
    const [segment] = data.segments
    const lengthMs = Date.parse(segment.ended_at) - Date.parse(segment.started_at)
    expect(lengthMs).toBe(4 * CHUNK_SEC * 1000)
  })

  test('counts only if it was captured before the end, even if its recorder does not know that', async () => {
    const { roomId, moderator, egress } = await captured.recording()
    await captured.deliversChunks(egress, [1, 2])
    nobodyAnswers()
    rooms.later(1500)
    await moderator.post('/recording/stop')
    await captured.settle()
    rooms.later(5 * MINUTE_MS)
    await captured.settle()
    const { id } = await rooms.recordingOf(roomId)
    await compose(id, () => captured.deliversChunks(egress, [3, 4]))
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(1.5 * CHUNK_SEC, 0)
  })
})

describe('a recording that is deleted while its file is being composed', () => {
  test('is no longer composed, and no part of it is stored', async () => {
    const { roomId, moderator, egress } = await captured.recording()
    await captured.deliversChunks(egress, [1, 2])
    rooms.later(2000)
    await moderator.post('/recording/stop')
    const file = { sizeBytes: 1, durationSec: 2 }
    plane.media.moveEgress(egress.egressId, { status: 'complete', file, endedAt: plane.now })
    await captured.settle()
    const { id } = await rooms.recordingOf(roomId)
    const before = plane.storage.objects.size
    let most = before
    const storage: Storage = {
      ...plane.storage,
      // Composing takes as long as for a recording of several hours.
      async read(key) {
        await plane.tenant.delete(`/recordings/${id}`)
        await delay(1000)
        return plane.storage.read(key)
      },
      async put(...put) {
        const stored = await plane.storage.put(...put)
        most = Math.max(most, plane.storage.objects.size)
        return stored
      },
    }
    const job = composeRecordingJob({ ...plane.deps, storage, onAvailable: startAutomatically })
    const payload = { tenantId: plane.tenant.tenantId }
    const { outcome } = await job.run({ ...jobRun(plane), key: id, payload })
    expect([outcome, most]).toEqual(['done', before])
  })
})
