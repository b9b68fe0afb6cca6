import { beforeEach, describe, expect, test } from 'vitest'
import { createTestChat } from '../../testing/chat-messages.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addHandout } from '../../testing/handouts.ts'
import { addRecording } from '../../testing/recordings.ts'
import { createRetainedRooms, type EndedRoom } from '../../testing/retained-rooms.ts'

const plane = useControlPlane()
const chat = createTestChat(plane)
const rooms = createRetainedRooms(plane)

const say = ({ roomId }: { roomId: string }) => chat.addMessage(roomId)
const messagesOf = async ({ roomId }: EndedRoom) => (await chat.listIds(roomId)).length
const deleteAtOf = async ({ roomId }: EndedRoom) =>
  (await rooms.noticesOf(roomId)).map(({ delete_at: at }) => at)
const daysAfter = ({ endsAt }: EndedRoom, days: number, from = endsAt) =>
  new Date(from.getTime() + days * 24 * 60 * 60 * 1000).toISOString()

/** A room whose chat has its notice, a week before its deletion under a rule of thirty days. */
async function noticed(): Promise<EndedRoom> {
  await rooms.rule({ chat_days: 30 })
  const room = await rooms.end(say)
  rooms.moveTo(room.endsAt, 23)
  await rooms.giveNotices()
  expect(await deleteAtOf(room)).toEqual([daysAfter(room, 30)])
  return room
}

beforeEach(() => rooms.rule({}))

describe('the notice of retention', () => {
  // contract: patchRetention › The event `retention.notice` with `kind`, `room_id`, `delete_at` and `days` is in
  //   the feed `RETENTION_NOTICE_DAYS` before something is deleted
  test('is in the feed seven days before the deletion, and not earlier', async () => {
    await rooms.rule({ chat_days: 30 })
    const room = await rooms.end(say)
    rooms.moveTo(room.endsAt, 23, -1)
    await rooms.giveNotices()
    expect(await rooms.noticesOf(room.roomId)).toEqual([])
    rooms.moveTo(room.endsAt, 23)
    await rooms.giveNotices()
    const id = expect.stringMatching(/^evt_/)
    const delete_at = daysAfter(room, 30)
    expect(await rooms.noticesOf(room.roomId)).toEqual([
      { id, kind: 'chat', room_id: room.roomId, delete_at, days: 30 },
    ])
  })

  // contract: patchRetention › A rule of fewer days gives notice at the end of the room, as many days before
  test('is given at the end of the room under a shorter rule', async () => {
    await rooms.rule({ chat_days: 2 })
    const room = await rooms.end(say)
    rooms.moveTo(room.endsAt, 0, -1)
    await rooms.giveNotices()
    expect(await rooms.noticesOf(room.roomId)).toEqual([])
    rooms.moveTo(room.endsAt, 0)
    await rooms.giveNotices()
    expect(await deleteAtOf(room)).toEqual([daysAfter(room, 2)])
  })

  // contract: patchRetention › A rule that covers old rooms gives notice first: nothing is deleted earlier
  test.each([
    [30, 7],
    [3, 3],
  ])('of an old room under a new rule of %d days stands for %d days', async (days, notice) => {
    const room = await rooms.end(say)
    rooms.moveTo(room.endsAt, 400)
    await rooms.rule({ chat_days: days })
    const at = plane.now
    await rooms.giveNotices()
    expect(await deleteAtOf(room)).toEqual([daysAfter(room, notice, at)])
    rooms.moveTo(at, notice, -1)
    await rooms.carryOut()
    expect(await messagesOf(room)).toBe(1)
    rooms.moveTo(at, notice)
    await rooms.carryOut()
    expect(await messagesOf(room)).toBe(0)
  })

  // contract: listEvents › `retention.notice` is in the feed alone: no endpoint gets it, and no replay sends it
  test('is sent to no endpoint, neither now nor by a replay', async () => {
    const url = 'http://127.0.0.1:1/hooks'
    const endpoint = await plane.tenant.post('/webhook-endpoints', { url })
    const { roomId } = await noticed()
    const [notice] = await rooms.noticesOf(roomId)
    const since = new Date(plane.now.getTime() - 1).toISOString()
    const replay = `/webhook-endpoints/${endpoint.data.id}/replay`
    for (const dry_run of [true, false]) {
      const { data } = await plane.tenant.post(replay, { since, dry_run })
      expect(data.events).toBe(0)
    }
    const named = await plane.tenant.post(replay, { since, type: 'retention.notice' })
    expect([named.status, named.details]).toEqual([400, [['type', 'INVALID_ENUM']]])
    const deliveries = await plane.database.db`
      select 1 from webhook_deliveries where event_id = ${notice!.id}
    `
    expect(deliveries).toEqual([])
    await plane.tenant.delete(`/webhook-endpoints/${endpoint.data.id}`)
  })

  test('is given for each kind that the room has records of', async () => {
    await rooms.rule({ recordings_days: 30, chat_days: 20, handouts_days: 10 })
    const empty = await rooms.end(async () => {})
    const filled = await rooms.end(async ({ roomId, sessionId }) => {
      await addRecording(plane, roomId)
      await addHandout(plane, sessionId)
    })
    rooms.moveTo(filled.endsAt, 100)
    await rooms.giveNotices()
    expect(await rooms.noticesOf(empty.roomId)).toEqual([])
    const notices = await rooms.noticesOf(filled.roomId)
    const kinds = notices.map(({ kind, days }) => `${kind} ${days}`)
    expect(kinds.toSorted()).toEqual(['handouts 10', 'recordings 30'])
  })

  test('is given once, no matter how many workers look for it and how often', async () => {
    const room = await rooms.end(say)
    await rooms.rule({ chat_days: 1 })
    rooms.moveTo(room.endsAt, 50)
    await Promise.all([rooms.giveNotices(), rooms.giveNotices(), rooms.giveNotices()])
    rooms.moveTo(room.endsAt, 50, 5)
    await rooms.giveNotices()
    expect(await rooms.noticesOf(room.roomId)).toHaveLength(1)
  })

  test('reaches every one of many rooms booked at the same moment, and so does the deletion', async () => {
    const { roomId, endsAt } = await rooms.end(say)
    const copies = await plane.database.db<{ id: string }[]>`
      with made as (
        insert into rooms (id, tenant_id, kind, archive_mode, archive_resolution, stream_resolution,
                           stream_frame_rate, transcription_language, transcription_service,
                           media_room_sid, created_at, closed_at)
        select gen_random_uuid(), tenant_id, kind, archive_mode, archive_resolution,
               stream_resolution, stream_frame_rate, transcription_language,
               transcription_service, 'RM', created_at, ${endsAt}::timestamptz
          from rooms cross join generate_series(1, 250) where id = ${roomId}
        returning id, tenant_id
      ), clocks as (
        insert into room_clocks (room_id, seq) select id, 1 from made
      ), said as (
        insert into chat_messages (room_id, id, tenant_id, seq, visibility, sender_name,
                                   content_type, text, created_at)
        select id, id, tenant_id, 1, 'public', 'x', 'text', 'x', ${endsAt}::timestamptz from made
      )
      select id from made
    `
    await rooms.rule({ chat_days: 1 })
    rooms.moveTo(endsAt, 2)
    await rooms.giveNotices()
    const ids = copies.map(({ id }) => id)
    const rows = await plane.database.db`
      select 1 from retention_notices where room_id = any(${ids}::uuid[])
    `
    expect(rows).toHaveLength(250)
    let turns = 0
    rooms.moveTo(endsAt, 3)
    for (;;) {
      turns += 1
      if (!(await rooms.carryOut())) break
    }
    expect(turns).toBeGreaterThan(2)
    const left = await plane.database.db`
      select 1 from chat_messages where room_id = any(${ids}::uuid[])
    `
    expect(left).toEqual([])
  })
})

describe('a deletion', () => {
  test('never happens without a notice or before its time', async () => {
    await rooms.rule({ chat_days: 30 })
    const unnoticed = await rooms.end(say)
    rooms.moveTo(unnoticed.endsAt, 300)
    await rooms.carryOut()
    expect(await messagesOf(unnoticed)).toBe(1)

    const room = await noticed()
    rooms.moveTo(room.endsAt, 30, -1)
    await rooms.carryOut()
    expect(await messagesOf(room)).toBe(1)
    rooms.moveTo(room.endsAt, 30)
    await rooms.carryOut()
    expect(await messagesOf(room)).toBe(0)
  })

  test('is carried out once by concurrent workers', async () => {
    const room = await noticed()
    rooms.moveTo(room.endsAt, 30)
    await Promise.all([rooms.carryOut(), rooms.carryOut(), rooms.carryOut()])
    const { data } = await plane.tenant.get(`/rooms/${room.roomId}/room-events`)
    const purges = data.items.filter(
      (each: { event_type: string }) => each.event_type === 'chat.purged',
    )
    expect(purges).toHaveLength(1)
  })

  test('of records that the tenant has already deleted leaves no trace', async () => {
    const room = await noticed()
    await plane.tenant.delete(`/rooms/${room.roomId}/chat-messages`)
    rooms.moveTo(room.endsAt, 30)
    await rooms.carryOut()
    const { data } = await plane.tenant.get(`/rooms/${room.roomId}/room-events`)
    expect(data.items).toHaveLength(1)
  })

  test('is followed by another notice for records added later', async () => {
    const room = await noticed()
    rooms.moveTo(room.endsAt, 30)
    await rooms.carryOut()
    await say(room)
    await rooms.giveNotices()
    expect(await deleteAtOf(room)).toEqual([daysAfter(room, 30), daysAfter(room, 37)])
    await rooms.carryOut()
    expect(await messagesOf(room)).toBe(1)
  })

  test('does not touch another tenant, with a rule or without', async () => {
    const book = async () => {
      const slot = { starts_at: plane.now, ends_at: new Date(plane.now.getTime() + 60_000) }
      const session = { external_type: 'Slot', external_id: crypto.randomUUID(), ...slot }
      const { data } = await plane.other.post('/rooms', { kind: 'interview', session })
      await addHandout({ tenant: plane.other }, data.session.id)
      return data
    }
    const theirs = await book()
    const listed = async () =>
      (await plane.other.get(`/sessions/${theirs.session.id}/handouts`)).data.items.length
    await rooms.rule({ handouts_days: 1 })
    const mine = await rooms.end(({ sessionId }) => addHandout(plane, sessionId))
    rooms.moveTo(mine.endsAt, 2)
    await rooms.giveNotices()
    await rooms.rule({ handouts_days: 100 }, plane.other)
    rooms.moveTo(mine.endsAt, 4)
    await rooms.giveNotices()
    await rooms.carryOut()
    expect(await listed()).toBe(1)
    expect(await rooms.noticesOf(theirs.id, plane.other)).toEqual([])
    expect(await rooms.noticesOf(mine.roomId, plane.other)).toEqual([])
    expect((await plane.tenant.get(`/sessions/${mine.sessionId}/handouts`)).data.items).toEqual([])
  })
})

async function hold({ roomId }: EndedRoom): Promise<string> {
  const { data } = await plane.tenant.post('/legal-holds', { room_id: roomId, reason: 'Case 1' })
  return `/legal-holds/${data.id}`
}

describe('a legal hold', () => {
  // contract: patchRetention › A legal hold stops the deletion until it is released
  test('stops the deletion until it is released', async () => {
    const room = await noticed()
    const held = await hold(room)
    rooms.moveTo(room.endsAt, 300)
    await rooms.carryOut()
    expect(await messagesOf(room)).toBe(1)
    await plane.tenant.delete(held)
    await rooms.carryOut()
    expect(await messagesOf(room)).toBe(0)
  })

  test('delays the notice until it is released', async () => {
    await rooms.rule({ chat_days: 30 })
    const room = await rooms.end(say)
    const held = await hold(room)
    rooms.moveTo(room.endsAt, 300)
    await rooms.giveNotices()
    await rooms.carryOut()
    expect(await rooms.noticesOf(room.roomId)).toEqual([])
    await plane.tenant.delete(held)
    await rooms.giveNotices()
    await rooms.carryOut()
    expect(await messagesOf(room)).toBe(1)
    expect(await deleteAtOf(room)).toEqual([daysAfter(room, 307)])
  })
})

describe('after a notice', () => {
  // contract: patchRetention › Removing or lengthening a rule withdraws its notices
  test('a rule that was removed deletes nothing, also when it is set again', async () => {
    const room = await noticed()
    await rooms.rule({})
    rooms.moveTo(room.endsAt, 29)
    await rooms.rule({ chat_days: 30 })
    await rooms.giveNotices()
    rooms.moveTo(room.endsAt, 30)
    await rooms.carryOut()
    expect(await messagesOf(room)).toBe(1)
    expect(await deleteAtOf(room)).toEqual([daysAfter(room, 30), daysAfter(room, 36)])
  })

  test('a longer rule gives another notice in time', async () => {
    const room = await noticed()
    await rooms.rule({ chat_days: 60 })
    rooms.moveTo(room.endsAt, 53, -1)
    await rooms.giveNotices()
    await rooms.carryOut()
    expect([await messagesOf(room), await deleteAtOf(room)]).toEqual([1, [daysAfter(room, 30)]])
    rooms.moveTo(room.endsAt, 53)
    await rooms.giveNotices()
    expect(await deleteAtOf(room)).toEqual([daysAfter(room, 30), daysAfter(room, 60)])
    rooms.moveTo(room.endsAt, 60)
    await rooms.carryOut()
    expect(await messagesOf(room)).toBe(0)
  })

  test('a shorter rule and rules of other kinds leave it unchanged', async () => {
    const room = await noticed()
    await rooms.rule({ chat_days: 10, handouts_days: 5 })
    await rooms.giveNotices()
    rooms.moveTo(room.endsAt, 30, -1)
    await rooms.carryOut()
    expect(await messagesOf(room)).toBe(1)
    rooms.moveTo(room.endsAt, 30)
    await rooms.carryOut()
    expect([await messagesOf(room), await deleteAtOf(room)]).toEqual([0, [daysAfter(room, 30)]])
  })

  test('a session that is moved ends later: its records are kept and get another notice', async () => {
    const room = await noticed()
    rooms.moveTo(room.endsAt, 30)
    const slot = { starts_at: daysAfter(room, 31), ends_at: daysAfter(room, 32) }
    expect((await plane.tenant.patch(`/sessions/${room.sessionId}`, slot)).status).toBe(200)
    await rooms.carryOut()
    await rooms.giveNotices()
    expect([await messagesOf(room), await deleteAtOf(room)]).toEqual([1, [daysAfter(room, 30)]])
    rooms.moveTo(room.endsAt, 32 + 23)
    await rooms.giveNotices()
    expect(await deleteAtOf(room)).toEqual([daysAfter(room, 30), daysAfter(room, 62)])
  })

  test('a room that is closed later ends later: its records are kept and get another notice', async () => {
    const room = await noticed()
    rooms.moveTo(room.endsAt, 28)
    await plane.tenant.post(`/rooms/${room.roomId}/close`, {})
    rooms.moveTo(room.endsAt, 30)
    await rooms.carryOut()
    await rooms.giveNotices()
    expect([await messagesOf(room), await deleteAtOf(room)]).toEqual([1, [daysAfter(room, 30)]])
    rooms.moveTo(room.endsAt, 28 + 23)
    await rooms.giveNotices()
    expect(await deleteAtOf(room)).toEqual([daysAfter(room, 30), daysAfter(room, 58)])
  })
})
