import { describe, expect, test } from 'vitest'
import { closeEntry } from '../../domain/people/close-entries.ts'
import { openEntry } from '../../domain/people/open-entry.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { createTestChat } from '../../testing/chat-messages.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, type LiveReader, openReader, useLiveRooms } from '../../testing/live-room.ts'
import { waitFor } from '../../testing/wait-for.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const chat = createTestChat(plane)

const bookRoom = async (): Promise<string> => (await plane.book({ startsInMin: 1 })).id

/** Their media connection comes up. */
async function connect(guest: Guest): Promise<string> {
  const mediaSid = `PA_${guest.participantId}`
  await inTransaction(plane.database.db, (tx) =>
    openEntry(
      tx,
      {
        roomId: guest.roomId,
        mediaIdentity: guest.participantId,
        mediaSid,
        joinedAt: plane.now,
      },
      plane.now,
    ),
  )
  return mediaSid
}

/** A reader has had an event that the database loses by `restore`. */
async function beforeAnIncident() {
  const roomId = await bookRoom()
  const moderator = await live.enter(roomId, 'moderator')
  const { db } = plane.database
  const [backup] = await db`select seq from room_clocks where room_id = ${roomId}`
  const seq = backup?.['seq']
  const reader = await moderator.listen()
  await reader.wait('snapshot')
  await moderator.post('/events', { event_type: 'marker' })
  await reader.wait('fact')
  const restore = async () => {
    await db`delete from room_events where room_id = ${roomId} and seq > ${seq}`
    await db`delete from live_events where room_id = ${roomId} and seq > ${seq}`
    await db`update room_clocks set seq = ${seq} where room_id = ${roomId}`
  }
  return { roomId, moderator, reader, restore }
}

describe('GET /rooms/{room_id}/live/stream', () => {
  // contract: streamRoom › 200, first a snapshot
  test('begins with a snapshot of the room', async () => {
    const roomId = await bookRoom()
    const moderator = await live.enter(roomId, 'moderator')
    await connect(moderator)
    const reader = await moderator.listen()
    const snapshot = await reader.wait('snapshot')
    expect(snapshot).toMatchObject({ presentation: null })
    expect(snapshot.roster).toEqual([
      {
        participant_id: moderator.participantId,
        identity: moderator.participantId,
        role: 'moderator',
        display_name: 'Hanako',
        has_hand_raised: false,
        last_test: null,
        line: null,
        is_microphone_silent: false,
      },
    ])
    expect(Date.parse(snapshot.slot?.closes_at ?? '')).toBeGreaterThan(plane.now.getTime())
  })

  test('answers with the headers of every answer', async () => {
    const { ticket, roomId } = await live.enter(await bookRoom(), 'moderator')
    const aborter = new AbortController()
    const { status, headers } = await fetch(`${live.origin}/api/v1/rooms/${roomId}/live/stream`, {
      headers: { authorization: `Bearer ${ticket}`, 'x-request-id': 'my-id_1!' },
      signal: aborter.signal,
    })
    aborter.abort()
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-request-id': 'my-id_1!',
    })
  })

  // contract: streamRoom › `roster` by what a role may know
  test('lists the present participants by role, without observers for a panelist', async () => {
    const roomId = await bookRoom()
    const [panelist, observer] = await Promise.all([
      live.enter(roomId, 'panelist'),
      live.enter(roomId, 'observer'),
    ])
    const [forPanelist, forObserver] = await Promise.all([panelist.listen(), observer.listen()])
    const sid = await connect(observer)
    await forObserver.wait('roster', ({ roster }) => roster.length === 1)
    await inTransaction(plane.database.db, (tx) =>
      closeEntry(tx, { roomId, mediaSid: sid, at: plane.now }),
    )
    await forObserver.wait('roster', ({ roster }) => roster.length === 0)
    await connect(panelist)
    await forObserver.wait('roster', ({ roster }) => roster.length === 1)
    await forPanelist.wait('roster', ({ roster }) => roster.length === 1)

    expect(forPanelist.events.map(({ name }) => name)).toEqual(['snapshot', 'roster'])
    expect(forPanelist.raw()).not.toContain(observer.participantId)
    expect(forPanelist.raw()).not.toContain('observer')
  })

  // contract: streamRoom › Cursors reveal nothing about what happened in between
  test('publishes cursors that do not show how many events lie between them', async () => {
    const roomId = await bookRoom()
    const panelist = await live.enter(roomId, 'panelist')
    const first = await panelist.listen()
    await first.wait('snapshot')
    for (let at = 0; at < 3; at += 1) await chat.addMessage(roomId, { visibility: 'observer_only' })
    const second = await panelist.listen()
    await second.wait('snapshot')
    // No number, and never the same twice.
    expect(first.lastId()).toMatch(/^[\w-]{60,}$/)
    expect(second.lastId()).not.toBe(first.lastId())
    const again = await panelist.listen()
    await again.wait('snapshot')
    expect(again.lastId()).not.toBe(second.lastId())
  })

  // contract: streamRoom › `Last-Event-ID` resumes without a gap
  test('continues after Last-Event-ID, without a snapshot, and misses nothing', async () => {
    const roomId = await bookRoom()
    const moderator = await live.enter(roomId, 'moderator')
    const before = await moderator.listen()
    await before.wait('snapshot')
    const place = before.lastId()
    before.close()
    await plane.tenant.delete(`/rooms/${roomId}/chat-messages?visibility=public`)
    await plane.tenant.delete(`/rooms/${roomId}/chat-messages?visibility=private`)

    const after = await moderator.listen(place)
    await after.wait('messages_purged', ({ visibility }) => visibility === 'private')
    expect(after.events.map(({ name, data }) => [name, data.visibility])).toEqual([
      ['messages_purged', 'public'],
      ['messages_purged', 'private'],
    ])
  })

  test.each([['nonsense'], ['']])('starts over with an invalid cursor (%s)', async (place) => {
    const moderator = await live.enter(await bookRoom(), 'moderator')
    const reader = await moderator.listen(place)
    expect(await reader.wait('snapshot')).toMatchObject({ roster: [] })
  })

  // contract: streamRoom › Beyond the end of a restored log it starts over, and misses nothing
  test('starts over with a cursor from before an older database was restored', async () => {
    const { roomId, reader, moderator, restore } = await beforeAnIncident()
    reader.close()
    await restore()
    const after = await moderator.listen(reader.lastId())
    await waitFor(() => after.raw().includes('open'))
    await plane.tenant.delete(`/rooms/${roomId}/chat-messages?visibility=public`)
    expect((await plane.tenant.post(`/rooms/${roomId}/close`)).status).toBe(200)
    await after.wait('closed')
    expect(after.events.map(({ name }) => name)).toEqual(['snapshot', 'messages_purged', 'closed'])
  })

  test('ends a stream that is ahead of the log, when a standby without the last events took over', async () => {
    const { reader, restore } = await beforeAnIncident()
    const { db } = plane.database
    const other = await live.enter(await bookRoom(), 'moderator')
    const unconcerned = await other.listen()
    await unconcerned.wait('snapshot')
    await restore()
    await db`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like '%-watch'
    `
    await waitFor(reader.hasEnded)
    expect(unconcerned.hasEnded()).toBe(false)
  })

  test('refuses a cursor of another room', async () => {
    const [one, other] = await Promise.all([
      live.enter(await bookRoom(), 'moderator'),
      live.enter(await bookRoom(), 'moderator'),
    ])
    const reader = await one.listen()
    await reader.wait('snapshot')
    const elsewhere = await other.listen(reader.lastId())
    expect(await elsewhere.wait('snapshot')).toMatchObject({ roster: [] })
  })

  test('publishes a purge only to the readers of the purged messages', async () => {
    const roomId = await bookRoom()
    const panelist = await (await live.enter(roomId, 'panelist')).listen()
    const observer = await (await live.enter(roomId, 'observer')).listen()
    await Promise.all([panelist.wait('snapshot'), observer.wait('snapshot')])
    await plane.tenant.delete(`/rooms/${roomId}/chat-messages?visibility=private`)
    await plane.tenant.delete(`/rooms/${roomId}/chat-messages?visibility=public`)
    await panelist.wait('messages_purged', ({ visibility }) => visibility === 'public')
    await observer.wait('messages_purged', ({ visibility }) => visibility === 'public')
    const published = (reader: typeof panelist) =>
      reader.events.filter(({ name }) => name === 'messages_purged').map(({ data }) => data)
    expect(published(panelist)).toEqual([{ visibility: 'public' }])
    expect(published(observer)).toEqual([{ visibility: 'private' }, { visibility: 'public' }])
  })

  // contract: streamRoom › 409 PARTICIPANT_BANNED after a ban
  test('publishes a ban only to the banned participant, and ends their stream', async () => {
    const roomId = await bookRoom()
    const [panelist, moderator] = await Promise.all([
      live.enter(roomId, 'panelist'),
      live.enter(roomId, 'moderator'),
    ])
    const [out, inside] = await Promise.all([panelist.listen(), moderator.listen()])
    const path = `/rooms/${roomId}/participants/${panelist.participantId}/ban`
    await plane.tenant.post(path, { reason: 'r' })
    expect(await out.wait('removed')).toEqual({ reason: 'banned' })
    await waitFor(out.hasEnded)
    await plane.tenant.delete(`/rooms/${roomId}/chat-messages`)
    await inside.wait('messages_purged')
    expect(inside.events.map(({ name }) => name)).not.toContain('removed')
    await expect(panelist.listen()).rejects.toThrow('PARTICIPANT_BANNED')
  })

  test('publishes the close to everybody, and ends', async () => {
    const roomId = await bookRoom()
    const readers = await Promise.all(
      (['moderator', 'panelist', 'observer'] as const).map(async (role) =>
        (await live.enter(roomId, role)).listen(),
      ),
    )
    await plane.tenant.post(`/rooms/${roomId}/close`)
    for (const reader of readers) {
      expect(await reader.wait('closed')).toEqual({ reason: 'room_closed' })
      await waitFor(reader.hasEnded)
    }
  })

  test('keeps the five newest streams of one entry, and ends the older ones', async () => {
    const roomId = await bookRoom()
    const moderator = await live.enter(roomId, 'moderator')
    const readers: LiveReader[] = []
    for (let count = 0; count < 7; count += 1) {
      const reader = await moderator.listen()
      await reader.wait('snapshot')
      readers.push(reader)
    }
    await waitFor(() => readers.slice(0, 2).every((reader) => reader.hasEnded()))
    await moderator.post('/events', { event_type: 'marker' })
    for (const reader of readers.slice(2)) {
      await reader.wait('fact')
      expect(reader.hasEnded()).toBe(false)
    }
  })

  // contract: streamRoom › 401 UNAUTHORIZED without a ticket, 409 SESSION_RELEASED after the close
  test('refuses callers without admission', async () => {
    const roomId = await bookRoom()
    const guest = await live.enter(roomId, 'panelist')
    const url = `${live.origin}/api/v1/rooms/${roomId}/live/stream`
    await expect(openReader(url, {})).rejects.toThrow('UNAUTHORIZED')
    await expect(openReader(url, { authorization: 'Bearer x.y.z' })).rejects.toThrow('UNAUTHORIZED')
    const other = url.replace(roomId, await bookRoom())
    const headers = { authorization: `Bearer ${guest.ticket}` }
    await expect(openReader(other, headers)).rejects.toThrow('UNAUTHORIZED')
    await plane.tenant.post(`/rooms/${roomId}/close`)
    await expect(guest.listen()).rejects.toThrow('SESSION_RELEASED')
  })

  // contract: streamRoom › 422 OUTSIDE_TIME_WINDOW after the window
  test('returns 422 after the window', async () => {
    const before = plane.now
    const endsAt = new Date(before.getTime() - 20 * 60_000)
    const startsAt = new Date(endsAt.getTime() - 60 * 60_000)
    const { roomId } = await live.acting.addRoom({ startsAt, endsAt })
    const guest = await live.enter(roomId, 'panelist')
    plane.now = new Date(before.getTime() + 11 * 60_000)
    await expect(guest.listen()).rejects.toThrow('OUTSIDE_TIME_WINDOW')
    plane.now = before
  })
})
