import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const bookRoom = async (): Promise<string> => (await plane.book({ startsInMin: 1 })).id

/** The names of the events after a cursor, and the next cursor. */
async function read(guest: Guest, after?: string) {
  const { status, data } = await guest.get(
    `/changes${after === undefined ? '' : `?after=${after}`}`,
  )
  expect(status).toBe(200)
  expect(data.now).toBe(plane.now.toISOString())
  const events = data.events as { name: string; data: Record<string, unknown> }[]
  return { events, names: events.map(({ name }) => name), cursor: String(data.cursor) }
}

const purge = (roomId: string, visibility: string) =>
  plane.tenant.delete(`/rooms/${roomId}/chat-messages?visibility=${visibility}`)

describe('GET /rooms/{room_id}/live/changes', () => {
  // contract: listChanges › 200, `events` with a snapshot without `after`, each with its `name`, and the time as `now`
  test('begins with a snapshot, and continues with what happened since', async () => {
    const roomId = await bookRoom()
    const moderator = await live.enter(roomId, 'moderator')
    const first = await read(moderator)
    expect(first.names).toEqual(['snapshot'])
    expect(first.events[0]?.data).toMatchObject({ roster: [], presentation: null })

    await purge(roomId, 'public')
    await purge(roomId, 'private')
    const second = await read(moderator, first.cursor)
    expect(second.events.map(({ name, data }) => [name, data['visibility']])).toEqual([
      ['messages_purged', 'public'],
      ['messages_purged', 'private'],
    ])
    expect((await read(moderator, second.cursor)).events).toEqual([])
  })

  // contract: listChanges › The ids of stream events are cursors, too
  test('continues after the last event of a stream, and a stream after it', async () => {
    const roomId = await bookRoom()
    const moderator = await live.enter(roomId, 'moderator')
    const stream = await moderator.listen()
    await stream.wait('snapshot')
    stream.close()
    await purge(roomId, 'public')
    const { names, cursor } = await read(moderator, stream.lastId())
    expect(names).toEqual(['messages_purged'])
    await purge(roomId, 'private')
    const again = await moderator.listen(cursor)
    await again.wait('messages_purged')
    expect(again.events.map(({ data }) => data.visibility)).toEqual(['private'])
  })

  // contract: listChanges › Each contains only what the reader's role may know
  test('hides from a panelist what the stream hides', async () => {
    const roomId = await bookRoom()
    const panelist = await live.enter(roomId, 'panelist')
    const observer = await live.enter(roomId, 'observer')
    const [forPanelist, forObserver] = [await read(panelist), await read(observer)]
    const message = { visibility: 'observer_only', content_type: 'text', text: 'He hesitates' }
    await observer.post('/messages', { id: randomUUID(), ...message })
    expect((await read(panelist, forPanelist.cursor)).events).toEqual([])
    expect((await read(observer, forObserver.cursor)).names).toEqual(['message'])
  })

  // contract: listChanges › A cursor of another room starts over; one that is none gets 400
  test('starts over with the cursor of another room, and refuses text that is no cursor', async () => {
    const moderator = await live.enter(await bookRoom(), 'moderator')
    const elsewhere = await read(await live.enter(await bookRoom(), 'moderator'))
    expect((await read(moderator, elsewhere.cursor)).names).toEqual(['snapshot'])
    const refused = await moderator.get('/changes?after=%20')
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
  })

  // contract: listChanges › 409 SESSION_RELEASED after the close, 422 OUTSIDE_TIME_WINDOW after the window
  test('is refused after the close, and after the window', async () => {
    const roomId = await bookRoom()
    const guest = await live.enter(roomId, 'panelist')
    await plane.tenant.post(`/rooms/${roomId}/close`)
    expect(await guest.get('/changes')).toMatchObject({ status: 409, code: 'SESSION_RELEASED' })

    const before = plane.now
    const endsAt = new Date(before.getTime() - 20 * 60_000)
    const startsAt = new Date(endsAt.getTime() - 60 * 60_000)
    const late = await live.acting.addRoom({ startsAt, endsAt })
    const panelist = await live.enter(late.roomId, 'panelist')
    plane.now = new Date(before.getTime() + 11 * 60_000)
    const refused = await panelist.get('/changes')
    expect(refused).toMatchObject({ status: 422, code: 'OUTSIDE_TIME_WINDOW' })
    plane.now = before
  })

  // contract: listChanges › 409 PARTICIPANT_BANNED after a ban
  test('is refused after a ban, like every request of the person', async () => {
    const roomId = await bookRoom()
    const panelist = await live.enter(roomId, 'panelist')
    const { cursor } = await read(panelist)
    await plane.tenant.post(`/rooms/${roomId}/participants/${panelist.participantId}/ban`, {
      reason: 'test',
    })
    const refused = await panelist.get(`/changes?after=${cursor}`)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('PARTICIPANT_BANNED')
  })
})
