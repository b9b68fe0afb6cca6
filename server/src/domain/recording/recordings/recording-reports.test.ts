import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { GUEST_KINDS } from '../../../platform/ports/media.ts'
import { setGuestKinds } from '../../../platform/tenants/guest-kinds.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../../testing/live-room.ts'
import { postNotification, signNotification } from '../../../testing/provider-notification.ts'
import { reconcilePass } from '../../../testing/reconcile-pass.ts'
import { FILE, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { applyNotificationsJob } from '../../notifications/apply-notifications.job.ts'
import { noteTrack } from './report-store.ts'
import { noteMade, listSegments } from './segment-store.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

beforeEach(() => {
  plane.media.resetEgresses()
  // The database sets the time of notifications.
  plane.now = new Date()
})

async function publishes({ roomId, participantId }: Guest, event = 'track_published') {
  const connections = plane.media.connections.get(roomId) ?? []
  const { sid } = connections.find(({ identity }) => identity === participantId) ?? {}
  const body = JSON.stringify({
    id: `EV_${randomUUID()}`,
    event,
    room: { name: roomId },
    participant: { identity: participantId, sid },
    track: { sid: `TR_of_${participantId}` },
  })
  expect(await postNotification(plane.app, body, await signNotification(plane.deps, body))).toBe(
    200,
  )
  await runJobs(plane.database.db, applyNotificationsJob(plane.deps))
}

/** A moderator starts a recording alone, and the start takes this long. */
async function begin({ lateSec = 0 } = {}) {
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  await publishes(moderator)
  plane.now = new Date()
  await moderator.post('/recording/start')
  rooms.later(lateSec * 1000)
  rooms.becomesActive(roomId)
  await rooms.settle()
  return { roomId, moderator }
}

/** Ends the recording after the length of its file. */
async function end(roomId: string, moderator: Guest, beforeFile = async () => {}): Promise<string> {
  rooms.later(FILE.durationSec * 1000)
  await moderator.post('/recording/stop')
  await beforeFile()
  rooms.completes(rooms.lastEgressOf(roomId))
  await rooms.settle()
  const { id, status } = await rooms.recordingOf(roomId)
  expect(status).toBe('available')
  return id
}

const completenessOf = async (id: string) =>
  (await plane.tenant.get(`/recordings/${id}/completeness`)).data

describe('the completeness of a recording', () => {
  // contract: getRecordingCompleteness › 200 with each person's expected and actual seconds:
  //   `recording_id`, `is_complete`, `missing_sec`, `people` with `participant_id`, `role`,
  //   `display_name`, `expected_sec`, `actual_sec`, `gaps`, `short_gaps_sec`
  test('names everybody who should be in it, without any gaps', async () => {
    const { roomId, moderator } = await begin()
    const id = await end(roomId, moderator)
    expect(await completenessOf(id)).toEqual({
      recording_id: id,
      is_complete: true,
      missing_sec: 0,
      people: [
        {
          participant_id: moderator.participantId,
          role: 'moderator',
          display_name: expect.any(String),
          expected_sec: FILE.durationSec,
          actual_sec: FILE.durationSec,
          gaps: [],
          short_gaps_sec: 0,
        },
      ],
    })
    expect(await rooms.roomEventsOf(roomId)).not.toContain('recording.incomplete')
  })

  // contract: getRecordingCompleteness › A gap has `started_at`, `ended_at`, `duration_sec`, `reason`
  // contract: getRecordingCompleteness › RoomEvent recording.incomplete, once, with `missing_sec`
  test("reports a gap at a late beginning, and the room's log reports it once", async () => {
    const { roomId, moderator } = await begin({ lateSec: 8 })
    const id = await end(roomId, moderator)
    const { is_complete, missing_sec, people } = await completenessOf(id)
    expect({ is_complete, missing_sec }).toEqual({ is_complete: false, missing_sec: 8 })
    expect(people[0].gaps).toMatchObject([{ duration_sec: 8, reason: 'late_start' }])
    await rooms.settle()
    const { data } = await plane.tenant.get(
      `/rooms/${roomId}/room-events?event_type=recording.incomplete`,
    )
    expect(data.items.map(({ payload }: { payload: unknown }) => payload)).toEqual([
      { recording_id: id, missing_sec: 8 },
    ])
  })

  test('adds up gaps that are too short to be listed, as after each resume', async () => {
    const { roomId, moderator } = await begin({ lateSec: 1.5 })
    rooms.later(10_000)
    await moderator.post('/recording/pause')
    const { startedAt } = rooms.lastEgressOf(roomId)
    const file = { sizeBytes: 1, durationSec: 10 }
    const ended = { status: 'complete', file, startedAt, endedAt: plane.now } as const
    plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, ended)
    rooms.later(60_000)
    await moderator.post('/recording/resume')
    rooms.later(700)
    rooms.becomesActive(roomId)
    await rooms.settle()
    rooms.later(10_000)
    const { id } = await rooms.recordingOf(roomId)
    const { people, missing_sec } = await completenessOf(id)
    expect(missing_sec).toBe(0)
    expect(people[0]).toMatchObject({
      expected_sec: 22.2,
      actual_sec: 20,
      gaps: [],
      short_gaps_sec: 2.2,
    })
  })

  test('does not count a pause', async () => {
    const { roomId, moderator } = await begin()
    rooms.later(10_000)
    await moderator.post('/recording/pause')
    rooms.later(60_000)
    const { id } = await rooms.recordingOf(roomId)
    const { is_complete, people } = await completenessOf(id)
    expect(is_complete).toBeNull()
    expect(people[0]).toMatchObject({ expected_sec: 10, actual_sec: 10, gaps: [] })

    rooms.completes(rooms.lastEgressOf(roomId))
    await rooms.settle()
    expect((await completenessOf(id)).is_complete).toBeNull()
  })

  test.each(GUEST_KINDS)('has a guest of the kind %s, with its spans and its gap', async (kind) => {
    const { db } = plane.database
    await setGuestKinds(db, { tenantId: plane.tenant.tenantId, kinds: [kind] })
    const { roomId, moderator } = await begin()
    const mediaIdentity = `guest-${randomUUID()}`
    const connection = plane.media.connect(roomId, mediaIdentity, plane.now)
    connection.guest = { kind, name: 'Note taker' }
    await rooms.run(reconcilePass(plane.deps))
    const at = (sec: number) => new Date(plane.now.getTime() + sec * 1000)
    const track = { roomId, trackSid: 'TR_of_guest', mediaSid: connection.sid }
    await noteTrack(db, { ...track, isPublished: true, at: at(10) })
    await noteTrack(db, { ...track, isPublished: false, at: at(30) })
    const [fromMs, toMs] = [at(15).getTime(), at(20).getTime()]
    const [segment] = await listSegments(db, (await rooms.recordingOf(roomId)).id)
    const content = {
      absences: [{ mediaIdentity, fromMs, toMs, reason: 'no_media' as const }],
      durationSec: FILE.durationSec,
    }
    const id = await end(roomId, moderator, () =>
      noteMade(db, { id: segment?.id ?? '', ...content }),
    )
    expect(await completenessOf(id)).toMatchObject({
      is_complete: false,
      missing_sec: 5,
      people: [
        { participant_id: moderator.participantId, actual_sec: FILE.durationSec, gaps: [] },
        {
          participant_id: null,
          role: 'panelist',
          display_name: expect.stringMatching(/^Note taker \(/),
          expected_sec: 20,
          actual_sec: 15,
          gaps: [{ duration_sec: 5, reason: 'no_media' }],
        },
      ],
    })
  })

  // contract: getRecordingCompleteness › 404 NOT_FOUND for a Recording that is not there, or of
  //   another tenant
  test('of an unknown recording is 404', async () => {
    const { status } = await plane.tenant.get(`/recordings/${randomUUID()}/completeness`)
    expect(status).toBe(404)
  })
})

describe('the timeline of a recording', () => {
  // contract: getRecordingTimeline › 200 with what was recorded, and the room events with their
  //   place in the file, in pages: `segments` with `started_at`, `ended_at`, `offset_sec`, items with
  //   `type`, `at`, `offset_sec`, `payload`
  test('places markers in the file, and leaves out those from unrecorded times', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const mark = (note: string) =>
      moderator.post('/events', { event_type: 'marker', payload: { note } })
    await mark('too early')
    // The database sets the times of room events.
    plane.now = new Date()
    await moderator.post('/recording/start')
    rooms.becomesActive(roomId)
    await rooms.settle()
    await mark('first')
    await mark('second')
    const id = await end(roomId, moderator)
    const { data } = await plane.tenant.get(`/recordings/${id}/timeline`)
    expect(data.segments).toMatchObject([{ offset_sec: 0 }])
    const markers = data.items.filter(({ type }: { type: string }) => type === 'marker')
    expect(markers.map(({ payload }: { payload: { note: string } }) => payload.note)).toEqual([
      'first',
      'second',
    ])
    const first = await plane.tenant.get(`/recordings/${id}/timeline?limit=1`)
    expect(first.data.has_more).toBe(true)
    const second = await plane.tenant.get(
      `/recordings/${id}/timeline?limit=100&cursor=${first.data.next_cursor}`,
    )
    expect([...first.data.items, ...second.data.items]).toEqual(data.items)
  })

  // contract: getRecordingTimeline › items oldest first, in pages
  test('places a marker at its moment, not at the time of posting', async () => {
    const { roomId, moderator } = await begin()
    const mark = async (note: string, secondsAgo: number) => {
      const payload = { note, seconds_ago: secondsAgo }
      const { status } = await moderator.post('/events', { event_type: 'marker', payload })
      expect(status).toBe(201)
    }
    // The same as if it had been recorded for a while.
    await plane.database.db`
      update recording_segments set started_at = started_at - interval '40 s'
       where room_id = ${roomId}
    `
    await mark('third', 0)
    await mark('first', 30)
    await mark('second', 20)
    rooms.later(5000)
    const { id } = await rooms.recordingOf(roomId)
    const read: { type: string; at: string; payload: { note: string } }[] = []
    let cursor = ''
    do {
      const { data } = await plane.tenant.get(`/recordings/${id}/timeline?limit=1${cursor}`)
      read.push(...data.items)
      cursor = data.next_cursor === null ? '' : `&cursor=${data.next_cursor}`
    } while (cursor !== '')
    const times = read.map(({ at }) => Date.parse(at))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    const markers = read.filter(({ type }) => type === 'marker')
    expect(markers.map(({ payload }) => payload.note)).toEqual(['first', 'second', 'third'])
  })

  // contract: getRecordingTimeline › 404 NOT_FOUND for a Recording that is not there, or of another
  //   tenant
  test('of an unknown recording is 404', async () => {
    const { status } = await plane.tenant.get(`/recordings/${randomUUID()}/timeline`)
    expect(status).toBe(404)
  })
})
