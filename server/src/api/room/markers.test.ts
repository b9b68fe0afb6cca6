import { MARKER_SECONDS_AGO_MAX } from '@interview-room/contract/limits.ts'
import { expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

const mark = (guest: Guest, payload?: object) =>
  guest.post('/events', { event_type: 'marker', ...(payload !== undefined && { payload }) })

// contract: postRoomEvent › A marker has its place in the recording: `recording_id`, `offset_sec`, pauses left out,
//   of the moment `seconds_ago`, published as `marked_at`
test('a marker has its place in the recording, and none in a pause or without a recording', async () => {
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  expect((await mark(moderator)).data.payload).toBeNull()

  await moderator.post('/recording/start')
  rooms.becomesActive(roomId)
  await rooms.settle()
  rooms.later(10_000)
  const { id: recording_id } = await rooms.recordingOf(roomId)
  expect((await mark(moderator)).data.payload).toEqual({ recording_id, offset_sec: 10 })
  const markedAt = new Date(plane.now.getTime() - 8_000).toISOString()
  expect((await mark(moderator, { note: 'the label', seconds_ago: 8 })).data.payload).toEqual({
    note: 'the label',
    marked_at: markedAt,
    recording_id,
    offset_sec: 2,
  })
  expect((await mark(moderator, { seconds_ago: 11 })).data.payload).toEqual({
    marked_at: expect.any(String),
  })

  await moderator.post('/recording/pause')
  await rooms.settle()
  rooms.later(60_000)
  expect((await mark(moderator)).data.payload).toBeNull()
  await moderator.post('/recording/resume')
  rooms.becomesActive(roomId)
  await rooms.settle()
  rooms.later(5_000)
  expect((await mark(moderator)).data.payload).toEqual({ recording_id, offset_sec: 15 })
  // A marker set after the pause, for a moment before it.
  const before = await mark(moderator, { seconds_ago: 68 })
  expect(before.data.payload).toMatchObject({ recording_id, offset_sec: 7 })
})

/** The notes in the snapshot that a page gets when it opens now. */
async function notesIn(guest: Guest) {
  const reader = await guest.listen()
  const { facts } = await reader.wait('snapshot')
  reader.close()
  return facts.map(({ payload }) => payload?.['note'])
}

// contract: postRoomEvent › A marker with `is_private` is seen by the person alone, and read by the tenant
test('a private marker is seen only on the pages of its author, and by the tenant', async () => {
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  const [moderator, observer, other] = [
    await live.enter(roomId, 'moderator'),
    await live.enter(roomId, 'observer'),
    await live.enter(roomId, 'observer'),
  ]
  const readers = await Promise.all([moderator, observer, other].map((each) => each.listen()))
  await Promise.all(readers.map((reader) => reader.wait('snapshot')))
  const answer = await mark(observer, { note: 'mine', is_private: true })
  expect(answer.data.payload).toEqual({ note: 'mine', is_private: true })
  await mark(observer, { note: 'for all' })
  for (const reader of readers) {
    await reader.wait('fact', ({ payload }) => payload?.['note'] === 'for all')
    expect(reader.raw().includes('mine')).toBe(reader === readers[1])
  }

  expect(await notesIn(observer)).toEqual(['mine', 'for all'])
  for (const guest of [moderator, other]) expect(await notesIn(guest)).toEqual(['for all'])
  const { data: log } = await plane.tenant.get(`/rooms/${roomId}/room-events`)
  expect(log.items).toMatchObject([{ payload: { note: 'mine', is_private: true } }, {}])
})

// contract: postRoomEvent › 400 INVALID_REQUEST for `seconds_ago` and `is_private` of other events, and for more
//   than 600 seconds (`MARKER_SECONDS_AGO_MAX`)
test.each([
  ['hand.raised', { seconds_ago: 1 }, 400, 'payload.seconds_ago', 'NOT_ALLOWED'],
  ['hand.raised', { is_private: true }, 400, 'payload.is_private', 'NOT_ALLOWED'],
  ['marker', { seconds_ago: -1 }, 400, 'payload.seconds_ago', 'OUT_OF_RANGE'],
  [
    'marker',
    { seconds_ago: MARKER_SECONDS_AGO_MAX + 1 },
    400,
    'payload.seconds_ago',
    'OUT_OF_RANGE',
  ],
  ['marker', { is_private: 'yes' }, 400, 'payload.is_private', 'INVALID_TYPE'],
])('%s with %j is refused', async (...refusal) => {
  const [event_type, payload, status, field, code] = refusal
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  const guest = await live.enter(roomId, event_type === 'marker' ? 'moderator' : 'panelist')
  const refused = await guest.post('/events', { event_type, payload })
  expect([refused.status, refused.details]).toEqual([status, [[field, code]]])
})
