import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Egress, EgressStatus } from '../../../platform/ports/egress.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { notifyOfEgress } from '../../../testing/provider-notification.ts'
import { FILE, MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { webhooksOf } from '../../../testing/recordings.ts'
import { followRecordingJob } from './follow-recording.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

const DELIVERY_ORDERS = ['as they come', 'none', 'doubled', 'backwards'] as const
const IGNORED = 'stale egress update ignored'

async function begin() {
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  await moderator.post('/recording/start')
  return { roomId, moderator }
}

function inOrder(reported: Egress[], reporting: (typeof DELIVERY_ORDERS)[number]): Egress[] {
  if (reporting === 'none') return []
  if (reporting === 'doubled') return reported.flatMap((each) => [each, each])
  return reporting === 'backwards' ? reported.toReversed() : reported
}

describe('a failing provider', () => {
  // contract: How a Recording runs › EGRESS_FAILED: failed, W3 with its reason, RoomEvent
  //   recording.failed
  test('an egress that failed fails the recording, with its reason in W3 and a RoomEvent', async () => {
    const { roomId } = await begin()
    rooms.becomesActive(roomId)
    await rooms.settle()
    plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { status: 'failed' })
    await rooms.settle()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('failed')
    expect((await webhooksOf(plane, `recording:${id}`)).at(-1)?.data).toMatchObject({
      status: 'failed',
      previous_status: 'started',
      failure_reason: 'provider_failed',
    })
    expect(await rooms.roomEventsOf(roomId)).toEqual(['recording.started', 'recording.failed'])
  })

  test('an egress whose file could not be brought to the storage: upload_failed', async () => {
    const { roomId, moderator } = await begin()
    rooms.becomesActive(roomId)
    await rooms.settle()
    await moderator.post('/recording/stop')
    const egress = rooms.lastEgressOf(roomId)
    await notifyOfEgress(plane, { ...egress, status: 'failed', hasUploadFailed: true })
    await rooms.settle()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('failed')
    expect((await webhooksOf(plane, `recording:${id}`)).at(-1)?.data).toMatchObject({
      failure_reason: 'upload_failed',
    })
  })

  // contract: How a Recording runs › EGRESS_ABORTED before any media: one more start
  test('an egress that never began is started a second time, and then fails', async () => {
    const { roomId } = await begin()
    plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { status: 'aborted' })
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(2)
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
    plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { status: 'aborted' })
    await rooms.settle()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('failed')
    expect((await webhooksOf(plane, `recording:${id}`)).at(-1)?.data).toMatchObject({
      failure_reason: 'provider_aborted',
    })
    expect(rooms.egressesOf(roomId)).toHaveLength(2)
  })

  // contract: How a Recording runs › Earlier segments of a failed one are kept
  test('keeps the segments before the failed one', async () => {
    const { roomId, moderator } = await begin()
    rooms.becomesActive(roomId)
    await rooms.settle()
    await moderator.post('/recording/pause')
    rooms.completes(rooms.lastEgressOf(roomId))
    await moderator.post('/recording/resume')
    rooms.becomesActive(roomId)
    await rooms.settle()
    plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { status: 'failed' })
    await rooms.settle()
    const { id, status, duration_sec } = await rooms.recordingOf(roomId)
    expect({ status, duration_sec }).toEqual({
      status: 'available',
      duration_sec: FILE.durationSec,
    })
    expect(await rooms.statusesOf(id)).toEqual([
      'started',
      'paused',
      'started',
      'stopped',
      'uploaded',
      'available',
    ])
    expect(await rooms.roomEventsOf(roomId)).toContain('recording.failed')
  })

  // contract: How a Recording runs › A segment that has certainly not begun keeps no recording waiting
  test.each(['stopped', 'closed'])(
    'which refuses to begin the next segment does not delay a recording that is %s',
    async (end) => {
      const { roomId, moderator } = await begin()
      rooms.becomesActive(roomId)
      await rooms.settle()
      rooms.later(10_000)
      const refusing = vi
        .spyOn(plane.media, 'startEgress')
        .mockRejectedValue(new MediaError('there is no such room', { hasNoEffect: true }))
      onTestFinished(() => refusing.mockRestore())
      const egress = rooms.lastEgressOf(roomId)
      plane.media.moveEgress(egress.egressId, { status: 'ending', hasRecorderFailed: true })
      await rooms.settle().catch(() => {})
      await rooms.settle().catch(() => {})
      rooms.completes(egress)
      expect(refusing).toHaveBeenCalled()
      expect((await rooms.recordingOf(roomId)).status).toBe('paused')
      if (end === 'stopped') await moderator.post('/recording/stop')
      else await plane.tenant.post(`/rooms/${roomId}/close`)
      await rooms.settle()
      expect((await rooms.recordingOf(roomId)).status).toBe('available')
      expect(await rooms.roomEventsOf(roomId)).not.toContain('recording.failed')
    },
  )

  // contract: How a Recording runs › EGRESS_LIMIT_REACHED with a file is kept
  test('a file that was cut at a limit is kept, and the room log records that', async () => {
    const { roomId } = await begin()
    rooms.becomesActive(roomId)
    await rooms.settle()
    rooms.completes(rooms.lastEgressOf(roomId))
    plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { status: 'limit_reached' })
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('available')
    expect(await rooms.roomEventsOf(roomId)).toContain('recording.limit_reached')
  })

  // contract: How a Recording runs › start_timeout after 90 s
  test('that does not begin within 90 s fails with start_timeout', async () => {
    const { roomId } = await begin()
    await rooms.settle()
    rooms.later(91_000)
    await rooms.settle()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('failed')
    expect((await webhooksOf(plane, `recording:${id}`)).at(-1)?.data).toMatchObject({
      failure_reason: 'start_timeout',
    })
    expect(rooms.lastEgressOf(roomId).status).toBe('ending')
  })

  // contract: How a Recording runs › storage_missing ten minutes after EGRESS_COMPLETE
  test('without a file ten minutes after it was written: storage_missing', async () => {
    const { roomId, moderator } = await begin()
    rooms.becomesActive(roomId)
    await rooms.settle()
    await moderator.post('/recording/stop')
    const { egressId } = rooms.lastEgressOf(roomId)
    plane.media.moveEgress(egressId, { status: 'complete', file: FILE, endedAt: plane.now })
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('uploaded')
    rooms.later(10 * MINUTE_MS + 1000)
    await rooms.settle()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('failed')
    expect((await webhooksOf(plane, `recording:${id}`)).at(-1)?.data).toMatchObject({
      failure_reason: 'storage_missing',
    })
  })

  // contract: How a Recording runs › Judged by the storage when the provider falls silent
  test('that never reports its end is judged by the storage: without a file the recording fails', async () => {
    const { roomId, moderator } = await begin()
    rooms.becomesActive(roomId)
    await rooms.settle()
    await moderator.post('/recording/stop')
    await rooms.settle()
    rooms.later(10 * MINUTE_MS + 1000)
    await rooms.settle()
    rooms.later(10 * MINUTE_MS + 1000)
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('failed')
  })

  // contract: How a Recording runs › A provider without egress: 502, and nothing is left in the end
  test('that never answers about egress leaves nothing behind in the end', async () => {
    const roomId = await rooms.book('always')
    const panelist = await rooms.come(roomId, 'panelist')
    plane.media.onCall = (call) => {
      if (call.includes('Egress')) throw new MediaError('egress is not connected')
    }
    const follow = () => rooms.run(followRecordingJob(plane.deps), roomId)
    await expect(follow()).rejects.toThrow('not connected')
    await panelist.leave()
    await plane.tenant.post(`/rooms/${roomId}/close`)
    rooms.later(5 * MINUTE_MS)
    await expect(follow()).rejects.toThrow('not connected')
    rooms.later(6 * MINUTE_MS)
    // The first run ends the segment, the second one deletes it.
    await expect(follow()).rejects.toThrow('not connected')
    await expect(follow()).rejects.toThrow('not connected')
    await follow()
    plane.media.onCall = undefined
    expect(await rooms.recordingsOf(roomId)).toEqual([])
    const left = await plane.database.db`select 1 from recording_segments where room_id = ${roomId}`
    expect(left).toHaveLength(0)
  })

  // contract: How a Recording runs › An egress whose answer was lost is adopted, never begun twice
  test('whose answer was lost: the egress is found by its output path, and stays the only one', async () => {
    const roomId = await rooms.book('always')
    await rooms.come(roomId, 'panelist')
    plane.media.loseNextAnswer()
    await expect(rooms.run(followRecordingJob(plane.deps), roomId)).rejects.toThrow('no answer')
    expect(await rooms.recordingsOf(roomId)).toHaveLength(0)
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
    expect((await rooms.recordingOf(roomId)).provider_archive_id).toBe(
      rooms.lastEgressOf(roomId).egressId,
    )
  })
})

describe('notifications', () => {
  // contract: How a Recording runs › egress_started, egress_updated, egress_ended: lost, doubled or
  //   out of order, the same end
  test.each(DELIVERY_ORDERS)('%s: the same end', async (reporting) => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    const egress = rooms.lastEgressOf(roomId)
    const times = { startedAt: plane.now, updatedAt: plane.now }
    const reported: Egress[] = [
      { ...egress, ...times, status: 'starting' },
      { ...egress, ...times, status: 'active' },
      { ...egress, ...times, status: 'ending' },
      { ...egress, ...times, status: 'complete', file: FILE, endedAt: plane.now },
    ]
    rooms.becomesActive(roomId)
    rooms.completes(rooms.lastEgressOf(roomId))
    await moderator.post('/recording/stop')
    for (const each of inOrder(reported, reporting)) await notifyOfEgress(plane, each)
    await rooms.settle()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(await rooms.statusesOf(id)).toEqual(['started', 'stopped', 'uploaded', 'available'])
    expect(await rooms.roomEventsOf(roomId)).toEqual(['recording.started', 'recording.stopped'])
  })

  test('that would move a recording backwards are ignored, with one log line for each', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line) => lines.push(line) })
    const { roomId, moderator } = await begin()
    const egress = rooms.lastEgressOf(roomId)
    const report = (status: EgressStatus) => notifyOfEgress(plane, { ...egress, status }, log)
    await report('active')
    await report('starting')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { egressId: egress.egressId, reported: 'starting', known: 'active', msg: IGNORED },
    ])
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
    await moderator.post('/recording/stop')
    rooms.completes(egress)
    await rooms.settle()
    await report('ending')
    expect(lines.map((line) => JSON.parse(line).reported)).toEqual(['starting', 'ending'])
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(await rooms.statusesOf(id)).toEqual(['started', 'stopped', 'uploaded', 'available'])
  })
})
