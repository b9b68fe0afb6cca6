import { beforeEach, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../platform/lib/uuid.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { booking, createTenantClient, type TenantClient } from '../../testing/tenant-client.ts'
import { closeMediaRoomJob } from './close-media-room.job.ts'

const plane = useControlPlane()
let tenant: TenantClient

beforeEach(async () => {
  plane.now = new Date('2026-06-01T10:00:00.000Z')
  plane.media.reset()
  tenant = await createTenantClient(plane.app, plane.database.db)
})

async function book(startsInMin: number): Promise<{ id: string; sessionId: string }> {
  const { status, data } = await tenant.post('/rooms', booking({ now: plane.now, startsInMin }))
  expect(status).toBe(201)
  return { id: data.id, sessionId: data.session.id }
}

async function enter(roomId: string): Promise<void> {
  await plane.database.db`
    insert into entry_histories (tenant_id, room_id, seq, media_identity, media_sid, name, role,
                                 entered_at)
    values (${tenant.tenantId}, ${roomId}, 1, ${uuidv7()}, ${uuidv7()}, 'P', 'panelist', ${plane.now})
  `
}

async function eventsOf(roomId: string): Promise<unknown[]> {
  return [
    ...(await plane.database
      .db`select event_type, payload from room_events where room_id = ${roomId} order by seq`),
  ]
}

function runJob(roomId: string) {
  const signal = new AbortController().signal
  const run = { key: roomId, payload: { roomId }, attempt: 1, signal, log: plane.deps.log }
  return closeMediaRoomJob(plane.deps).run(run)
}

describe('POST /rooms/{room_id}/close', () => {
  // contract: States of a Room › open → closed by close, for good
  // contract: closeRoom › 200, Room with the status of its Session; people are disconnected;
  //   RoomEvent room.closed with the `reason`
  // contract: Fields of a RoomEvent › room.closed: reason
  test('answers the closed room, removes everybody and records the reason', async () => {
    const room = await book(-10)
    plane.media.connect(room.id, 'somebody')
    const answer = await tenant.post(`/rooms/${room.id}/close`, { reason: '面接\n\t終了\u0007' })
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({
      id: room.id,
      status: 'closed',
      session: { status: 'closed' },
    })
    expect(plane.media.rooms.has(room.id)).toBe(false)
    expect(await eventsOf(room.id)).toEqual([
      { event_type: 'room.closed', payload: { reason: '面接\n\t終了' } },
    ])
    expect((await tenant.get(`/rooms/${room.id}`)).data).toEqual(answer.data)
  })

  // contract: closeRoom › The body and its `reason` are optional
  test.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['null', 'null'],
    ['an empty text', ''],
    ['an empty reason', { reason: '' }],
    ['a reason of control characters', { reason: '\u0001\u0085' }],
  ])('treats %s as no reason', async (_name, body) => {
    const room = await book(-10)
    expect((await tenant.post(`/rooms/${room.id}/close`, body)).status).toBe(200)
    expect(await eventsOf(room.id)).toEqual([
      { event_type: 'room.closed', payload: { reason: null } },
    ])
  })

  // contract: States of a Room › closed → closed by close: 200, idempotent
  // contract: closeRoom › 200 on a repeat; the first reason stays
  test('a second close answers 200, records nothing new and keeps the first reason', async () => {
    const room = await book(-10)
    const first = await tenant.post(`/rooms/${room.id}/close`, { reason: 'one' })
    plane.now = new Date(plane.now.getTime() + 60_000)
    const second = await tenant.post(`/rooms/${room.id}/close`, { reason: 'two' })
    expect(second.status).toBe(200)
    expect(second.data).toEqual(first.data)
    expect(await eventsOf(room.id)).toEqual([
      { event_type: 'room.closed', payload: { reason: 'one' } },
    ])
  })

  // contract: closeRoom › Ten concurrent requests are one
  test('ten concurrent requests record it once', async () => {
    const room = await book(-10)
    const closes = Array.from({ length: 10 }, () => tenant.post(`/rooms/${room.id}/close`))
    const answers = await Promise.all(closes)
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(await eventsOf(room.id)).toHaveLength(1)
  })

  // contract: States of a Session › Close of the Room: cancelled when nobody entered and it is
  //   before `starts_at`, else closed
  test.each([
    ['before the slot, if nobody has ever entered, cancels', 10, false, 'cancelled'],
    ['before the slot, after somebody entered, closes', 10, true, 'closed'],
    ['in the slot, if nobody has ever entered, closes', 0, false, 'closed'],
    ['after the slot closes', -61, false, 'closed'],
  ] as const)('%s the session', async (...[, startsInMin, hasEntry, status]) => {
    const [bookedInMin, waitMin] = startsInMin < 0 ? [-30, -30 - startsInMin] : [startsInMin, 0]
    const room = await book(bookedInMin)
    if (hasEntry) await enter(room.id)
    plane.now = new Date(plane.now.getTime() + waitMin * 60_000)
    const answer = await tenant.post(`/rooms/${room.id}/close`)
    expect(answer.data.session.status).toBe(status)
    expect((await tenant.get(`/sessions/${room.sessionId}`)).data.status).toBe(status)
  })

  // contract: closeRoom › People are removed even when the provider is down for a while
  test('answers 200 while the provider is down, and the job keeps trying', async () => {
    const room = await book(-10)
    plane.media.isDown = true
    expect((await tenant.post(`/rooms/${room.id}/close`)).status).toBe(200)
    expect(plane.media.rooms.has(room.id)).toBe(true)
    const jobs = await plane.database
      .db`select 1 from jobs where kind = 'close-media-room' and key = ${room.id}`
    expect(jobs).toHaveLength(1)

    await expect(runJob(room.id)).rejects.toThrow(MediaError)
    plane.media.isDown = false
    expect(await runJob(room.id)).toEqual({ outcome: 'done' })
    expect(plane.media.rooms.has(room.id)).toBe(false)
  })
})

describe('POST /rooms/{room_id}/close refuses', () => {
  // contract: closeRoom › 400 INVALID_REQUEST: `reason` of at most 1,000 characters
  //   (`CLOSE_REASON_MAX`)
  test.each([
    ['1,001 characters', { reason: 'x'.repeat(1001) }, ['reason', 'TOO_LONG']],
    ['a number', { reason: 5 }, ['reason', 'INVALID_TYPE']],
  ])('%s with 400 INVALID_REQUEST', async (_name, body, detail) => {
    const room = await book(-10)
    const answer = await tenant.post(`/rooms/${room.id}/close`, body)
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST', details: [detail] })
    expect((await tenant.get(`/rooms/${room.id}`)).data.status).toBe('open')
  })
})

describe('the job that closes media rooms', () => {
  test('leaves an open room alone', async () => {
    const room = await book(-10)
    expect(await runJob(room.id)).toEqual({ outcome: 'done' })
    expect(plane.media.rooms.has(room.id)).toBe(true)
  })

  test('removes the media room of an undone booking', async () => {
    const roomId = uuidv7()
    await plane.media.ensureRoom({ name: roomId, emptyTimeoutSec: 1, metadata: {} })
    expect(await runJob(roomId)).toEqual({ outcome: 'done' })
    expect(plane.media.rooms.has(roomId)).toBe(false)
  })

  test('retries immediately, then after 1, 2, 4, 8, 16 and every 30 seconds', () => {
    const job = closeMediaRoomJob(plane.deps)
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 1000].map((failures) =>
      job.retryAfterSec?.(failures, ''),
    )
    expect(pauses).toEqual([0, 1, 2, 4, 8, 16, 30, 30, 30])
  })
})

describe('of another tenant', () => {
  // contract: getRoom › Other tenant: 404 NOT_FOUND
  // contract: closeRoom › Other tenant: 404 NOT_FOUND, and the room stays open
  test.each([
    ['a room', 'GET', (room: { id: string }) => `/rooms/${room.id}`],
    ['the close of a room', 'POST', (room: { id: string }) => `/rooms/${room.id}/close`],
    ['a session', 'GET', (room: { sessionId: string }) => `/sessions/${room.sessionId}`],
  ] as const)('%s answers like an unknown one, byte for byte', async (_name, method, pathOf) => {
    const room = await book(-10)
    const other = await createTenantClient(plane.app, plane.database.db)
    const ask = (path: string) => other.send({ method, url: `/api/v1${path}` })

    const foreign = await ask(pathOf({ ...room }))
    const unknown = await ask(pathOf({ id: uuidv7(), sessionId: uuidv7() }))
    const malformed = await ask(pathOf({ id: 'abc', sessionId: 'abc' }))
    expect(foreign.status).toBe(404)
    expect(foreign.code).toBe('NOT_FOUND')
    expect(foreign.text).toBe(unknown.text)
    expect(foreign.text).toBe(malformed.text)
    const shown = ({ headers }: typeof foreign) => ({ ...headers, date: '', 'x-request-id': '' })
    expect(shown(foreign)).toEqual(shown(unknown))
    expect(shown(malformed)).toEqual(shown(unknown))
    expect((await tenant.get(`/rooms/${room.id}`)).data.status).toBe('open')
  })
})
