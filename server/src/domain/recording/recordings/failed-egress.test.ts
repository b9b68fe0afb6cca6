import { describe, expect, test } from 'vitest'
import type { Egress } from '../../../platform/ports/egress.ts'
import { useCapturedRooms } from '../../../testing/captured-rooms.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { notifyOfEgress } from '../../../testing/provider-notification.ts'
import { reconcilePass } from '../../../testing/reconcile-pass.ts'
import { MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { webhooksOf } from '../../../testing/recordings.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const { becomesAvailable, compose, deliversChunks, objectsOf, recorderBegins, recording, settle } =
  useCapturedRooms(plane, rooms)
const LOST_MS = 60_000

describe('a recorder that reports that it could not finish its capture', () => {
  const FAULTS = [
    ['the storage refused the last part', 'failed', true],
    ['its disk could not be read', 'failed', false],
    ['it was aborted', 'aborted', false],
  ] as const

  test.each(FAULTS)(
    'keeps what it delivered before: %s',
    async (_what, status, hasUploadFailed) => {
      const { roomId, moderator, egress } = await recording()
      await deliversChunks(egress, [1, 2, 3, 4, 5])
      rooms.later(LOST_MS)
      await moderator.post('/recording/stop')
      plane.media.moveEgress(egress.egressId, { status: 'ending' })
      await settle()
      await ends(egress, { status, hasUploadFailed })
      await settle()
      expect(objectsOf(egress)).toHaveLength(5)
      expect(await becomesAvailable(roomId)).toBeCloseTo(5, 1)
      expect(await rooms.roomEventsOf(roomId)).not.toContain('recording.failed')
      expect(objectsOf(egress)).toEqual([])
    },
  )

  test('without a report of its beginning keeps what it delivered', async () => {
    const { id } = await plane.book({ archiveMode: 'manual' })
    const roomId = String(id)
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    const egress = { ...rooms.lastEgressOf(roomId), startedAt: plane.now }
    await deliversChunks(egress, [1, 2])
    rooms.later(LOST_MS)
    await ends(egress, { status: 'failed' })
    await settle()
    expect((await rooms.recordingsOf(roomId)).map(({ status }) => status)).toContain('stopped')
    expect(objectsOf(egress)).toHaveLength(2)
    await compose()
    await settle()
    expect((await rooms.recordingsOf(roomId)).map(({ status }) => status)).toContain('available')
  })

  test('before anybody asked for the end: the next recording begins, and this one is kept', async () => {
    const { roomId, egress } = await recording()
    await deliversChunks(egress, [1, 2])
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    await settle()
    rooms.later(6000)
    await settle()
    await compose()
    await settle()
    const all = await rooms.recordingsOf(roomId)
    expect(all.map(({ status }) => status).toSorted()).toEqual(['available', 'started'])
  })

  test('after a pause: the recording contains all of it', async () => {
    const { roomId, moderator, egress } = await recording()
    await deliversChunks(egress, [1, 2, 3])
    rooms.later(LOST_MS)
    await moderator.post('/recording/pause')
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    await settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('paused')
    await moderator.post('/recording/resume')
    await recorderBegins(roomId)
    const next = rooms.lastEgressOf(roomId)
    await deliversChunks(next, [1, 2])
    rooms.later(LOST_MS)
    await moderator.post('/recording/stop')
    const file = { sizeBytes: 1, durationSec: 2 }
    plane.media.moveEgress(next.egressId, { status: 'complete', file, endedAt: plane.now })
    expect(await becomesAvailable(roomId)).toBeCloseTo(5, 1)
  })

  test("for one person: the archive contains everybody's delivered data", async () => {
    const { id } = await plane.book({ archiveMode: 'manual' })
    const roomId = String(id)
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start', { output_mode: 'individual' })
    await recorderBegins(roomId)
    const egress = rooms.lastEgressOf(roomId)
    await deliversChunks(egress, [1, 2])
    rooms.later(LOST_MS)
    await moderator.post('/recording/stop')
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    expect(await becomesAvailable(roomId)).toBeCloseTo(2, 1)
  })

  test('is checked again while the storage does not answer, and nothing is lost', async () => {
    const { roomId, moderator, egress } = await recording()
    await deliversChunks(egress, [1, 2])
    rooms.later(LOST_MS)
    await moderator.post('/recording/stop')
    plane.storage.isDown = true
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    await settle()
    rooms.later(48 * 60 * MINUTE_MS)
    await settle()
    plane.storage.isDown = false
    expect(objectsOf(egress)).toHaveLength(2)
    await settle()
    await compose()
    await settle()
    plane.now = new Date()
    expect((await rooms.recordingOf(roomId)).status).toBe('available')
  })

  test('without delivered data fails its recording with the reported reason', async () => {
    const { roomId, moderator, egress } = await recording()
    await moderator.post('/recording/stop')
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    await settle()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('failed')
    const [last] = (await webhooksOf(plane, `recording:${id}`)).slice(-1)
    expect(last?.data).toMatchObject({ failure_reason: 'upload_failed' })
    // Later chunks are kept with the failed recording for manual rescue, and deleted with it.
    await deliversChunks(egress, [1])
    rooms.later(2 * 60 * MINUTE_MS)
    await settle()
    expect(objectsOf(egress)).toHaveLength(1)
    plane.now = new Date()
    expect((await plane.tenant.delete(`/recordings/${id}`)).status).toBe(204)
    await settle()
    expect(objectsOf(egress)).toEqual([])
  })

  test('keeps nothing that was captured only after the stop', async () => {
    const { id } = await plane.book({ archiveMode: 'manual' })
    const roomId = String(id)
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    const egress = rooms.lastEgressOf(roomId)
    await moderator.post('/recording/stop')
    rooms.later(4000)
    rooms.becomesActive(roomId)
    await settle()
    await deliversChunks(rooms.lastEgressOf(roomId), [1, 2])
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    await settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('failed')
    expect(objectsOf(egress)).toEqual([])
  })

  test('leaves nothing of a recording that is deleted before the storage has answered', async () => {
    const { roomId, moderator, egress } = await recording()
    await deliversChunks(egress, [1, 2])
    rooms.later(LOST_MS)
    await moderator.post('/recording/stop')
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    const { id } = await rooms.recordingOf(roomId)
    expect((await plane.tenant.delete(`/recordings/${id}`)).status).toBe(204)
    await settle()
    expect(objectsOf(egress)).toEqual([])
  })
})

describe('a recorder that is lost while the storage does not answer', () => {
  const LOSSES = [
    [
      'its connection has left',
      async (roomId: string, { egressId }: Egress) => {
        plane.media.loseWorkerOf(egressId)
        plane.media.disconnect(roomId, egressId)
        await rooms.run(reconcilePass(plane.deps))
        plane.now = new Date(Math.max(plane.now.getTime(), Date.now()))
        rooms.later(31_000)
        await settle()
      },
    ],
    [
      'it is back without its disk',
      async (_: string, { egressId }: Egress) => {
        plane.media.egresses.delete(egressId)
        rooms.later(4000)
        await settle()
      },
    ],
  ] as const

  test.each(LOSSES)('is replaced, and its delivered data is kept: %s', async (_, isLost) => {
    const { roomId, moderator, egress } = await recording()
    await deliversChunks(egress, [1, 2, 3])
    plane.storage.isDown = true
    await isLost(roomId, egress)
    expect((await rooms.recordingOf(roomId)).status).toBe('paused')
    const next = rooms.lastEgressOf(roomId)
    expect(next.egressId).not.toBe(egress.egressId)
    await recorderBegins(roomId)
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
    rooms.later(LOST_MS)
    await moderator.post('/recording/stop')
    await settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
    plane.storage.isDown = false
    await deliversChunks(rooms.lastEgressOf(roomId), [1, 2])
    const file = { sizeBytes: 1, durationSec: 2 }
    plane.media.moveEgress(next.egressId, { status: 'complete', file, endedAt: plane.now })
    expect(await becomesAvailable(roomId)).toBeCloseTo(5, 1)
  })

  test('is followed by the next recording if it may not be replaced any more', async () => {
    const { roomId, egress } = await recording()
    await deliversChunks(egress, [1, 2])
    plane.storage.isDown = true
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    await settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
    rooms.later(6000)
    await settle()
    plane.storage.isDown = false
    await settle()
    await compose()
    await settle()
    const all = await rooms.recordingsOf(roomId)
    expect(all.map(({ status }) => status).toSorted()).toEqual(['available', 'started'])
  })
})

/** Reports this end of the egress from the provider. */
async function ends(egress: Egress, how: Partial<Egress>): Promise<void> {
  plane.media.moveEgress(egress.egressId, { endedAt: plane.now, ...how })
  const reported = plane.media.egresses.get(egress.egressId)
  if (reported !== undefined) await notifyOfEgress(plane, reported)
}
