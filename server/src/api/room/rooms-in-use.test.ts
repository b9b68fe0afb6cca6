import { afterEach, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

afterEach(() => plane.media.reset())

const calls = (roomId: string) =>
  plane.media.calls.filter((call) => call === `ensureRoom ${roomId}`)

/** A room with a moderator whose media is up; no call of the provider so far is counted. */
async function inUse(): Promise<{ roomId: string; moderator: Guest }> {
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  const moderator = await live.enter(roomId, 'moderator')
  const { sid } = plane.media.connect(roomId, moderator.participantId)
  expect((await moderator.post('/connected', { media_sid: sid })).status).toBe(204)
  plane.media.calls = []
  return { roomId, moderator }
}

// contract: enterRoom, renewTicket › The media provider is not asked for a room in which somebody is
test('entering a room in use, and renewing a ticket there, makes no media room', async () => {
  const { roomId, moderator } = await inUse()
  const panelist = await live.enter(roomId, 'panelist')
  expect((await moderator.post('/ticket', { is_connected: true })).status).toBe(201)
  expect((await panelist.post('/ticket')).status).toBe(201)
  expect(calls(roomId)).toEqual([])
})

// contract: renewTicket › `is_connected`: with false the media room is made again where the provider
//   has lost it, whatever the service knows
test('whoever finds no media room after a restart of the provider gets one with the next ticket', async () => {
  const { roomId } = await inUse()
  plane.media.rooms.delete(roomId)
  plane.media.connections.delete(roomId)
  const panelist = await live.enter(roomId, 'panelist')
  expect(plane.media.rooms.has(roomId)).toBe(false)
  expect((await panelist.post('/ticket', { is_connected: false })).status).toBe(201)
  expect(plane.media.rooms.has(roomId)).toBe(true)
})

test('a room that everybody has left is looked after again', async () => {
  const { roomId, moderator } = await inUse()
  await plane.database.db`
    update entry_histories set left_at = entered_at where room_id = ${roomId}
  `
  await live.enter(roomId, 'panelist')
  await moderator.post('/ticket')
  expect(calls(roomId)).toHaveLength(2)
})
