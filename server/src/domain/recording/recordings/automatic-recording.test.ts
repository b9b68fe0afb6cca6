import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { reconcilePass } from '../../../testing/reconcile-pass.ts'
import { FILE, MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { booking } from '../../../testing/tenant-client.ts'
import { followRecordingJob } from './follow-recording.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

describe('automatic recording', () => {
  // contract: How a Recording runs › archive_mode always: begins with the first track of a
  //   moderator or panelist
  test('begins with the first track of a person who is recorded, and not before', async () => {
    const roomId = await rooms.book('always')
    await rooms.come(roomId, 'observer')
    const panelist = await live.enter(roomId, 'panelist')
    await panelist.post('/events', { event_type: 'consent.given' })
    plane.media.connect(roomId, panelist.participantId, plane.now)
    await rooms.run(reconcilePass(plane.deps))
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(0)
    plane.media.publish(roomId, panelist.participantId)
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
    expect(await rooms.recordingOf(roomId)).toMatchObject({
      status: 'started',
      output_mode: 'composed',
      size: null,
      duration_sec: null,
      provider_archive_id: rooms.lastEgressOf(roomId).egressId,
    })
  })

  test.each([
    ['640x480', 15, { width: 640, height: 480, frameRate: 15 }],
    ['1280x720', 30, { width: 1280, height: 720, frameRate: 30 }],
    ['1280x720', 7, { width: 1280, height: 720, frameRate: 15 }],
  ])('has the size of its room: %s at %i frames a second', async (size, frameRate, spec) => {
    const { status, data } = await plane.tenant.post('/rooms', {
      ...booking({ now: plane.now, archiveMode: 'always' }),
      archive_resolution: size,
      stream_frame_rate: frameRate,
    })
    expect(status).toBe(201)
    await rooms.come(data.id, 'panelist')
    await rooms.settle()
    expect(rooms.egressesOf(data.id)).toMatchObject([{ spec }])
  })

  // contract: How a Recording runs › Ends 60 s after the last of them left; W3 for each status
  test('goes from start to available, with one W3 per status and size and length of the file', async () => {
    const roomId = await rooms.book('always')
    const panelist = await rooms.come(roomId, 'panelist')
    await rooms.settle()
    rooms.becomesActive(roomId)
    await rooms.settle()
    await panelist.leave()
    rooms.later(MINUTE_MS + 1000)
    await rooms.settle()
    const { id } = await rooms.recordingOf(roomId)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'stopped'])
    rooms.completes(rooms.lastEgressOf(roomId))
    await rooms.settle()
    expect(await rooms.recordingOf(roomId)).toMatchObject({
      status: 'available',
      size: FILE.sizeBytes,
      duration_sec: FILE.durationSec,
    })
    expect(await rooms.statusesOf(id)).toEqual(['started', 'stopped', 'uploaded', 'available'])
    expect(await rooms.roomEventsOf(roomId)).toEqual(['recording.started', 'recording.stopped'])
  })

  // contract: How a Recording runs › Continues while somebody is away for less
  test('continues while a person is away for less than a minute', async () => {
    const roomId = await rooms.book('always')
    const panelist = await rooms.come(roomId, 'panelist')
    await rooms.settle()
    rooms.becomesActive(roomId)
    await panelist.leave()
    rooms.later(MINUTE_MS / 2)
    await rooms.settle()
    await rooms.come(roomId, 'panelist')
    rooms.later(MINUTE_MS)
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
  })

  // contract: stopRecording › An automatic recording does not begin again until everybody left
  test('does not begin again after a moderator stopped it, until everybody left and came back', async () => {
    const roomId = await rooms.book('always')
    const moderator = await rooms.come(roomId, 'moderator')
    await rooms.settle()
    rooms.becomesActive(roomId)
    await rooms.settle()
    expect((await moderator.post('/recording/stop')).status).toBe(200)
    rooms.completes(rooms.lastEgressOf(roomId))
    rooms.later(MINUTE_MS)
    await rooms.settle()
    expect(await rooms.recordingsOf(roomId)).toHaveLength(1)
    await moderator.leave()
    rooms.later(1000)
    await rooms.come(roomId, 'moderator')
    await rooms.settle()
    expect(await rooms.recordingsOf(roomId)).toHaveLength(2)
  })

  // contract: stopRecording › An automatic recording does not begin again until everybody left
  test('does not begin again after a stop that came when a withdrawal had ended it', async () => {
    const roomId = await rooms.book('always')
    const moderator = await rooms.come(roomId, 'moderator')
    const panelist = await rooms.come(roomId, 'panelist')
    await rooms.settle()
    rooms.becomesActive(roomId)
    await rooms.settle()
    await panelist.post('/events', { event_type: 'consent.withdrawn' })
    rooms.completes(rooms.lastEgressOf(roomId))
    await rooms.settle()
    expect((await moderator.post('/recording/stop')).status).toBe(200)
    await panelist.leave()
    rooms.later(MINUTE_MS)
    await rooms.settle()
    expect(await rooms.recordingsOf(roomId)).toHaveLength(1)
  })

  // contract: How a Recording runs › One, however many join at the same time
  test('two participants who join at the same time start one recording', async () => {
    const roomId = await rooms.book('always')
    await rooms.come(roomId, 'moderator')
    await rooms.come(roomId, 'panelist')
    await Promise.all([
      rooms.run(followRecordingJob(plane.deps), roomId),
      rooms.run(followRecordingJob(plane.deps), roomId),
    ])
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
    expect(await rooms.recordingsOf(roomId)).toHaveLength(1)
  })
})
