import { randomUUID } from 'node:crypto'
import type { RoomEventType } from '@interview-room/contract/room-events.ts'
import { describe, expect, test } from 'vitest'
import { lockRoom } from '../../domain/booking/lock-room.ts'
import { appendRoomEvent } from '../../domain/room-log/append-room-event.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { useControlPlane } from '../../testing/control-plane.ts'

const plane = useControlPlane()

async function append(
  roomId: string,
  eventType: string,
  payload: Parameters<typeof appendRoomEvent>[1]['payload'] = null,
): Promise<void> {
  const { tenantId } = plane.tenant
  await inTransaction(plane.database.db, async (tx) => {
    const locked = await lockRoom(tx, { tenantId, roomId })
    // Rows of another release may have types that this one does not know.
    await appendRoomEvent(tx, { ...locked, eventType: eventType as RoomEventType, payload })
  })
}

async function walk(roomId: string, query: string): Promise<{ id: number; payload: unknown }[]> {
  const seen: { id: number; payload: unknown }[] = []
  let cursor = ''
  for (;;) {
    const { data } = await plane.tenant.get(`/rooms/${roomId}/room-events?${query}${cursor}`)
    seen.push(...data.items)
    if (!data.has_more) return seen
    cursor = `&cursor=${data.next_cursor}`
  }
}

describe('GET /rooms/{room_id}/room-events', () => {
  // contract: Form of answers › Ids of EntryHistory and RoomEvent are integers
  // contract: Fields of a RoomEvent › `id`, `room_id`, `event_type` (any text), `payload`
  //   (nullable), `created_at`
  // contract: listRoomEvents › 200, list of RoomEvents, created_at ascending
  test('answers the events with every field, in order of time', async () => {
    const { id } = await plane.book()
    await append(id, 'handout.show', { handout_id: 'h1' })
    await append(id, 'tenant:印', null)
    await plane.tenant.post(`/rooms/${id}/close`, { reason: 'done' })
    const answer = await plane.tenant.get(`/rooms/${id}/room-events`)
    expect(answer.status).toBe(200)
    const common = {
      id: expect.any(Number),
      room_id: id,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    }
    expect(answer.data).toEqual({
      items: [
        { ...common, event_type: 'handout.show', payload: { handout_id: 'h1' } },
        { ...common, event_type: 'tenant:印', payload: null },
        { ...common, event_type: 'room.closed', payload: { reason: 'done' } },
      ],
      next_cursor: null,
      has_more: false,
    })
    const times = answer.data.items.map((event: { created_at: string }) => event.created_at)
    expect(times).toEqual(times.toSorted())
  })

  // contract: listRoomEvents › Filter `event_type`, exact
  test('filters by the exact event type', async () => {
    const { id } = await plane.book()
    for (const type of ['handout.show', 'handout.hide', 'handout.show', 'Handout.show']) {
      await append(id, type)
    }
    const types = async (filter: string) => {
      const answer = await plane.tenant.get(`/rooms/${id}/room-events?event_type=${filter}`)
      return answer.data.items.map((event: { event_type: string }) => event.event_type)
    }
    expect(await types('handout.show')).toEqual(['handout.show', 'handout.show'])
    expect(await types('handout')).toEqual([])
    expect(await types('handout%25')).toEqual([])
    expect(await types('nothing.of.the.kind')).toEqual([])
  })

  // contract: listRoomEvents › `cursor`, `limit`
  test('continues after the cursor, even with a filter', async () => {
    const { id } = await plane.book()
    for (let at = 0; at < 7; at += 1) await append(id, at % 2 === 0 ? 'even' : 'odd', { at })
    const all = await walk(id, 'limit=3')
    expect(all.map(({ payload }) => payload)).toEqual([0, 1, 2, 3, 4, 5, 6].map((at) => ({ at })))
    const even = await walk(id, 'limit=2&event_type=even')
    expect(even.map(({ payload }) => payload)).toEqual([0, 2, 4, 6].map((at) => ({ at })))
  })

  // contract: listRoomEvents › A walk misses and repeats nothing while others write
  test('misses and repeats nothing while others write', async () => {
    const { id } = await plane.book()
    let isWriting = true
    const writers = Promise.all(
      [0, 1, 2, 3].map(async (writer) => {
        for (let at = 0; at < 25; at += 1) await append(id, 'marker', { writer, at })
      }),
    ).finally(() => {
      isWriting = false
    })
    const seen: unknown[] = []
    let cursor = ''
    let isLast = false
    while (!isLast) {
      // Read before the page: a page that was asked for after the last write is the last one.
      isLast = !isWriting
      const query = `limit=10${cursor && `&cursor=${cursor}`}`
      const { data } = await plane.tenant.get(`/rooms/${id}/room-events?${query}`)
      // Only full pages move on, since the end of the list has no cursor.
      if (data.has_more) {
        seen.push(...data.items.map((event: { id: number }) => event.id))
        cursor = data.next_cursor
        isLast = false
      } else if (isLast) seen.push(...data.items.map((event: { id: number }) => event.id))
    }
    await writers
    const written = await plane.database.db`
      select id from room_events where room_id = ${id} order by seq
    `
    expect(written).toHaveLength(100)
    expect(seen).toEqual(written.map((row) => Number(row['id'])))
  })

  // contract: listRoomEvents › Readable after the close
  test('of a closed room stay readable', async () => {
    const { id } = await plane.book()
    await plane.tenant.post(`/rooms/${id}/close`)
    expect((await plane.tenant.get(`/rooms/${id}/room-events`)).data.items).toHaveLength(1)
  })
})

describe('GET /rooms/{room_id}/room-events refuses', () => {
  // contract: listRoomEvents › 400 INVALID_REQUEST for bounds, `limit`, `cursor`, unknown
  //   parameters
  test.each([
    ['event_type=', ['event_type', 'TOO_SHORT']],
    [`event_type=${'x'.repeat(256)}`, ['event_type', 'TOO_LONG']],
    ['event_type=a&event_type=b', ['event_type', 'INVALID_TYPE']],
    ['limit=1e1', ['limit', 'INVALID_TYPE']],
    ['cursor=AAAA', ['cursor', 'INVALID_FORMAT']],
    ['type=room.closed', ['type', 'UNKNOWN_FIELD']],
  ])('%s with 400 INVALID_REQUEST', async (query, detail) => {
    const { id } = await plane.book()
    const refused = await plane.tenant.get(`/rooms/${id}/room-events?${query}`)
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST', details: [detail] })
  })

  test('a cursor that was given out for another event type with 400', async () => {
    const { id } = await plane.book()
    for (let at = 0; at < 2; at += 1) await append(id, 'even')
    const path = `/rooms/${id}/room-events`
    const { data } = await plane.tenant.get(`${path}?limit=1&event_type=even`)
    const refused = await plane.tenant.get(`${path}?event_type=odd&cursor=${data.next_cursor}`)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  // contract: listRoomEvents › Other tenant: 404 NOT_FOUND
  test('a room of another tenant with 404, byte for byte like an unknown or malformed id', async () => {
    const { id } = await plane.book()
    await append(id, 'secret')
    const foreign = await plane.other.get(`/rooms/${id}/room-events`)
    expect([foreign.status, foreign.code]).toEqual([404, 'NOT_FOUND'])
    for (const unknown of [randomUUID(), 'abc']) {
      expect((await plane.other.get(`/rooms/${unknown}/room-events`)).text).toBe(foreign.text)
    }
  })
})
