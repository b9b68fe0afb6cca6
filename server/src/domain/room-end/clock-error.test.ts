import { expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useLiveRooms } from '../../testing/live-room.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

/** The clocks of two processes differ by as much, for each measures the database's over the network. */
const ERROR_MS = 9

/** Lets a person in by a clock that is ahead of the one that the next request is answered by. */
async function enterAhead() {
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  plane.now = new Date(plane.now.getTime() + ERROR_MS)
  const guest = await live.enter(roomId, 'panelist')
  plane.now = new Date(plane.now.getTime() - ERROR_MS)
  return guest
}

interface Times {
  admittedAt: Date
  closedAt: Date | null
  bannedAt: Date | null
  removedAt: Date | null
}

async function timesOf(mediaIdentity: string): Promise<Times | undefined> {
  const [row] = await plane.database.db<Times[]>`
    select a.admitted_at as "admittedAt", r.closed_at as "closedAt", a.removed_at as "removedAt",
           coalesce(p.banned_at, a.banned_at) as "bannedAt"
      from admissions a
      join rooms r on r.id = a.room_id
      left join participants p on p.id = a.participant_id
     where a.media_identity = ${mediaIdentity}
  `
  return row
}

test('a room is not closed before it admitted somebody, whose clock was ahead', async () => {
  const { roomId, participantId } = await enterAhead()
  expect((await plane.tenant.post(`/rooms/${roomId}/close`)).status).toBe(200)
  const times = await timesOf(participantId)
  expect(times?.closedAt).toEqual(times?.admittedAt)
})

test('nobody is banned before the admission', async () => {
  const { roomId, participantId } = await enterAhead()
  const moderator = await live.enter(roomId, 'moderator')
  const { status } = await moderator.post(`/participants/${participantId}/ban`, { reason: 'x' })
  expect(status).toBe(200)
  const times = await timesOf(participantId)
  expect(times?.bannedAt).toEqual(times?.admittedAt)
})

test('nobody is removed before the admission', async () => {
  const { roomId, participantId } = await enterAhead()
  const moderator = await live.enter(roomId, 'moderator')
  const { status } = await moderator.post(`/participants/${participantId}/remove`)
  expect(status).toBe(200)
  const times = await timesOf(participantId)
  expect(times?.removedAt).toEqual(times?.admittedAt)
})
