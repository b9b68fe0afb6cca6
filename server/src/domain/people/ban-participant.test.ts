import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/db.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { ensureServiceKey } from '../../platform/service-keys/ensure-service-key.ts'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { hasLockWait } from '../../testing/lock-waits.ts'
import { type Answer, booking, toAnswer } from '../../testing/tenant-client.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { removeParticipantJob } from './remove-participant.job.ts'

const plane = useControlPlane()
let acting: ActingTenant

beforeAll(async () => {
  // Tokens are signed with the machine's clock.
  plane.now = new Date()
  await ensureServiceKey(plane.deps)
  acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
})

async function live(roomId: string, call: string, bearer: string): Promise<Answer> {
  const url = `/api/v1/rooms/${roomId}/live/${call}`
  const headers = { authorization: `Bearer ${bearer}` }
  return toAnswer(await plane.app.inject({ method: 'POST', url, headers }))
}

async function enter(roomId: string, claims: object = {}): Promise<Answer> {
  return live(roomId, 'entry', await acting.signToken({ roomId, ...claims }))
}

/** A room with one connected person. */
async function occupied(): Promise<{ roomId: string; id: string; ticket: string; path: string }> {
  const { id: roomId } = await plane.book()
  const { data } = await enter(roomId)
  const { id } = data.participant
  plane.media.connect(roomId, id)
  const path = `/rooms/${roomId}/participants/${id}/ban`
  return { roomId, id, ticket: data.ticket, path }
}

const isInside = (roomId: string, id: string) =>
  (plane.media.connections.get(roomId) ?? []).some(({ identity }) => identity === id)

const eventsOf = async (roomId: string) => [
  ...(await plane.database
    .db`select event_type, payload from room_events where room_id = ${roomId} order by seq`),
]

const jobsOf = (id: string) =>
  plane.database.db`select 1 from jobs where kind = 'remove-participant' and key = ${id}`

function runJob(roomId: string, id: string) {
  const signal = new AbortController().signal
  const run = { key: id, payload: { roomId }, attempt: 1, signal, log: plane.deps.log }
  return removeParticipantJob(plane.deps).run(run)
}

describe('POST /rooms/{room_id}/participants/{participant_id}/ban', () => {
  // contract: States of a Participant › active → banned by ban, `banned_at` set, RoomEvent
  //   participant.banned
  // contract: banParticipant › 200, `participant_id`, `status` banned; RoomEvent with participant
  //   and reason
  // contract: Fields of a RoomEvent › participant.banned: participant_id, reason
  test('bans, removes the person and records who and why', async () => {
    const { roomId, id, path } = await occupied()
    const answer = await plane.tenant.post(path, { reason: '不適切な行為' })
    expect([answer.status, answer.data]).toEqual([200, { participant_id: id, status: 'banned' }])
    await waitFor(() => !isInside(roomId, id))
    expect(await eventsOf(roomId)).toEqual([
      {
        event_type: 'participant.banned',
        payload: { participant_id: id, reason: '不適切な行為' },
      },
    ])
    const { data } = await plane.tenant.get(`/rooms/${roomId}/participants`)
    expect(data.items).toMatchObject([{ id, status: 'banned', banned_at: plane.now.toISOString() }])
  })

  // contract: States of a Participant › banned → banned by ban: 200, idempotent
  // contract: banParticipant › 200 on a repeat
  test('a repeat answers 200 and records nothing new; the first time and reason stay', async () => {
    const { roomId, path } = await occupied()
    const first = await plane.tenant.post(path, { reason: 'one' })
    const bannedAt = plane.now.toISOString()
    plane.now = new Date(plane.now.getTime() + 1000)
    const second = await plane.tenant.post(path, { reason: 'two' })
    expect([second.status, second.text]).toEqual([200, first.text])
    expect(await eventsOf(roomId)).toMatchObject([{ payload: { reason: 'one' } }])
    const { data } = await plane.tenant.get(`/rooms/${roomId}/participants`)
    expect(data.items[0].banned_at).toBe(bannedAt)
  })

  test('twenty concurrent requests return 200 and record it once', async () => {
    const { roomId, path } = await occupied()
    const bans = Array.from({ length: 20 }, (_, at) =>
      plane.tenant.post(path, { reason: `reason ${at}` }),
    )
    const answers = await Promise.all(bans)
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await eventsOf(roomId)).toHaveLength(1)
  })

  // contract: Idempotency › Ban: 20 concurrent requests with one key ban once
  test('twenty concurrent requests with one Idempotency-Key make one ban and its replays', async () => {
    const { roomId, path } = await occupied()
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => plane.tenant.post(path, { reason: 'once' }, headers)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const replayed = answers.filter((answer) => answer.headers['idempotent-replayed'] === 'true')
    expect(replayed).toHaveLength(19)
    expect(await eventsOf(roomId)).toHaveLength(1)
  })

  // contract: banParticipant › Possible in a closed room
  test('is possible in a closed room, and for somebody who is not connected', async () => {
    const { roomId, id, path } = await occupied()
    await plane.tenant.post(`/rooms/${roomId}/close`)
    expect((await plane.tenant.post(path, { reason: 'late' })).status).toBe(200)
    expect(await runJob(roomId, id)).toEqual({ outcome: 'done' })
    expect(await eventsOf(roomId)).toMatchObject([
      { event_type: 'room.closed' },
      { event_type: 'participant.banned' },
    ])
  })

  test('keeps the lines of a reason, and removes other control characters', async () => {
    const { roomId, path } = await occupied()
    expect((await plane.tenant.post(path, { reason: 'a\r\n\tb\u0007' })).status).toBe(200)
    expect(await eventsOf(roomId)).toMatchObject([{ payload: { reason: 'a\r\n\tb' } }])
  })

  // contract: Form of answers › Lengths are counted in characters, not in code units
  test('counts a reason in characters, not in code units', async () => {
    const { path } = await occupied()
    expect((await plane.tenant.post(path, { reason: '🎥'.repeat(255) })).status).toBe(200)
  })

  // contract: banParticipant › Holds in its own room only
  test('holds in its own room only', async () => {
    const { path } = await occupied()
    const other = await plane.book()
    await plane.tenant.post(path, { reason: 'x' })
    expect((await enter(other.id)).status).toBe(201)
  })
})

describe('after the ban', () => {
  // contract: banParticipant › Every later token is refused with 409 PARTICIPANT_BANNED, also a
  //   fresh one
  // contract: Error codes › 409 PARTICIPANT_BANNED
  test('a freshly signed token is refused with 409 PARTICIPANT_BANNED, whatever its claims are', async () => {
    const { roomId, path } = await occupied()
    await plane.tenant.post(path, { reason: 'x' })
    for (const claims of [{}, { name: 'Another name' }, { jti: 'new' }, { role: 'moderator' }]) {
      expect(await enter(roomId, claims)).toMatchObject({ status: 409, code: 'PARTICIPANT_BANNED' })
    }
  })

  // contract: banParticipant › So is the ticket that was given before
  // contract: renewTicket, reportConnected › 409 PARTICIPANT_BANNED after a ban
  test('an earlier ticket allows neither renewal nor connection', async () => {
    const { roomId, ticket, path } = await occupied()
    expect((await live(roomId, 'ticket', ticket)).status).toBe(201)
    await plane.tenant.post(path, { reason: 'x' })
    const renewed = await live(roomId, 'ticket', ticket)
    expect([renewed.status, renewed.code]).toEqual([409, 'PARTICIPANT_BANNED'])
    const connected = await plane.app.inject({
      method: 'POST',
      url: `/api/v1/rooms/${roomId}/live/connected`,
      headers: { authorization: `Bearer ${ticket}` },
      payload: { media_sid: 'PA_1' },
    })
    expect(connected.json().error.code).toBe('PARTICIPANT_BANNED')
  })

  test('a repeated anonymous token is refused, too', async () => {
    const { id: roomId } = await plane.book()
    const bearer = await acting.signToken({ roomId, participant: undefined, jti: randomUUID() })
    const { data } = await live(roomId, 'entry', bearer)
    await plane.tenant.post(`/rooms/${roomId}/participants/${data.participant.id}/ban`, {
      reason: 'x',
    })
    expect((await live(roomId, 'entry', bearer)).code).toBe('PARTICIPANT_BANNED')
  })

  test('other people can still enter', async () => {
    const { roomId, path } = await occupied()
    await plane.tenant.post(path, { reason: 'x' })
    const participant = { external_type: 'User', external_id: '2' }
    expect((await enter(roomId, { participant })).status).toBe(201)
  })

  // contract: banParticipant › Nobody slips in beside a ban
  test('an entry that races the ban either comes before it or is refused', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { roomId, id, path } = await occupied()
      const bearer = await acting.signToken({ roomId })
      const [banned, ...entries] = await Promise.all([
        plane.tenant.post(path, { reason: 'x' }),
        ...Array.from({ length: 3 }, () => live(roomId, 'entry', bearer)),
      ])
      expect(banned.status).toBe(200)
      for (const { status, code } of entries) {
        expect([201, 'PARTICIPANT_BANNED']).toContain(status === 201 ? status : code)
      }
      await waitFor(() => !isInside(roomId, id))
      expect((await live(roomId, 'entry', bearer)).code).toBe('PARTICIPANT_BANNED')
    }
  })

  test('the ban waits for an entry that is under way, and removes that one, too', async () => {
    const { roomId, id, path } = await occupied()
    const { db } = plane.database
    let ban: Promise<Answer> | undefined
    await inTransaction(db, async (tx) => {
      // Take the lock of an admission.
      await tx`select 1 from rooms where id = ${roomId} for share`
      ban = plane.tenant.post(path, { reason: 'x' })
      await waitFor(() => hasLockWait(db))
      expect(isInside(roomId, id)).toBe(true)
    })
    expect((await ban)?.status).toBe(200)
    await waitFor(() => !isInside(roomId, id))
  })
})

describe('while the media provider is down', () => {
  // contract: banParticipant › The person is removed even when the provider is down for a while
  test('the ban is answered and applies, and a job keeps removing the person', async () => {
    const { roomId, id, path } = await occupied()
    plane.media.isDown = true
    try {
      expect((await plane.tenant.post(path, { reason: 'x' })).status).toBe(200)
      expect((await enter(roomId)).code).toBe('PARTICIPANT_BANNED')
      expect(await jobsOf(id)).toHaveLength(1)
      await expect(runJob(roomId, id)).rejects.toThrow(MediaError)
      expect(isInside(roomId, id)).toBe(true)
    } finally {
      plane.media.isDown = false
    }
    expect(await runJob(roomId, id)).toEqual({ outcome: 'done' })
    expect(isInside(roomId, id)).toBe(false)
  })

  test('or slow, the answer does not wait for it', async () => {
    const { roomId, id, path } = await occupied()
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    plane.media.onCall = () => isReleased
    expect((await plane.tenant.post(path, { reason: 'x' })).status).toBe(200)
    expect(isInside(roomId, id)).toBe(true)
    plane.media.onCall = undefined
    release()
    await waitFor(() => !isInside(roomId, id))
  })

  test('the job retries immediately, then after 1, 2, 4, 8, 16 and every 30 seconds', () => {
    const job = removeParticipantJob(plane.deps)
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 1000].map((failures) =>
      job.retryAfterSec?.(failures, ''),
    )
    expect(pauses).toEqual([0, 1, 2, 4, 8, 16, 30, 30, 30])
  })
})

describe('the entry of a banned person', () => {
  // contract: Fields of an EntryHistory › `left_at` is set by a ban
  test('is closed by the job, and the entries of others stay open', async () => {
    const { roomId, id, ticket, path } = await occupied()
    const participant = { external_type: 'User', external_id: '2' }
    const other = await enter(roomId, { participant })
    const connect = async (identity: string, bearer: string) => {
      const { sid } = plane.media.connect(roomId, identity, plane.now)
      const url = `/api/v1/rooms/${roomId}/live/connected`
      const headers = { authorization: `Bearer ${bearer}` }
      const payload = { media_sid: sid }
      const { statusCode } = await plane.app.inject({ method: 'POST', url, headers, payload })
      expect(statusCode).toBe(204)
    }
    await connect(id, ticket)
    await connect(other.data.participant.id, other.data.ticket)
    plane.now = new Date(plane.now.getTime() + 5000)
    await plane.tenant.post(path, { reason: 'x' })
    await runJob(roomId, id)
    const { data } = await plane.tenant.get(`/rooms/${roomId}/entry-histories`)
    expect(data.items).toMatchObject([
      { participant_id: id, left_at: plane.now.toISOString(), duration_sec: 5 },
      { participant_id: other.data.participant.id, left_at: null, duration_sec: null },
    ])
  })
})

describe('POST ban refuses', () => {
  // contract: banParticipant › `reason` of 1 to 255 characters (`BAN_REASON_MAX`) is required: else
  //   400 INVALID_REQUEST
  // contract: Limits › Ban `reason`: 1 to 255 characters
  test.each([
    ['no body', undefined, ['body', 'REQUIRED']],
    ['no reason', {}, ['reason', 'REQUIRED']],
    ['null as reason', { reason: null }, ['reason', 'NOT_NULLABLE']],
    ['an empty reason', { reason: '' }, ['reason', 'TOO_SHORT']],
    ['256 characters', { reason: 'x'.repeat(256) }, ['reason', 'TOO_LONG']],
    ['a number', { reason: 5 }, ['reason', 'INVALID_TYPE']],
    ['nothing but control characters', { reason: '\u0007' }, ['reason', 'INVALID_FORMAT']],
    ['an array', [], ['body', 'INVALID_TYPE']],
  ])('%s with 400 INVALID_REQUEST', async (_name, body, detail) => {
    const { roomId, path } = await occupied()
    const refused = await plane.tenant.post(path, body)
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST', details: [detail] })
    expect(await eventsOf(roomId)).toEqual([])
  })

  // contract: banParticipant › 400 INVALID_JSON
  test('invalid JSON with 400 INVALID_JSON', async () => {
    const { path } = await occupied()
    for (const body of ['{"reason":', '{"reason":"a","reason":"b"}']) {
      expect(await plane.tenant.post(path, body)).toMatchObject({
        status: 400,
        code: 'INVALID_JSON',
      })
    }
  })

  // contract: Idempotency › Another id in the path: 422 IDEMPOTENCY_KEY_CONFLICT
  // contract: banParticipant › Idempotency-Key: 422 IDEMPOTENCY_KEY_CONFLICT for another ban
  test('an Idempotency-Key of another ban with 422, and that person stays', async () => {
    const [one, two] = [await occupied(), await occupied()]
    const headers = { 'idempotency-key': randomUUID() }
    await plane.tenant.post(one.path, { reason: 'x' }, headers)
    const refused = await plane.tenant.post(two.path, { reason: 'x' }, headers)
    expect([refused.status, refused.code]).toEqual([422, 'IDEMPOTENCY_KEY_CONFLICT'])
    expect(await eventsOf(two.roomId)).toEqual([])
    expect(isInside(two.roomId, two.id)).toBe(true)
  })

  // contract: banParticipant › 404 NOT_FOUND for a Participant of another room
  test('a participant of another room of the same tenant with 404', async () => {
    const [one, two] = [await occupied(), await occupied()]
    const mixed = await plane.tenant.post(`/rooms/${one.roomId}/participants/${two.id}/ban`, {
      reason: 'x',
    })
    expect([mixed.status, mixed.code]).toEqual([404, 'NOT_FOUND'])
    expect([...(await eventsOf(one.roomId)), ...(await eventsOf(two.roomId))]).toEqual([])
  })

  // contract: banParticipant › Other tenant: 404 NOT_FOUND for its Room as for its Participant
  test('a room or participant of another tenant with 404, byte for byte like an unknown one', async () => {
    const { roomId, id, path } = await occupied()
    const own = (await plane.other.post('/rooms', booking({ now: plane.now }))).data.id
    const ask = (url: string) => plane.other.post(url, { reason: 'x' })
    const foreign = await ask(path)
    expect([foreign.status, foreign.code]).toEqual([404, 'NOT_FOUND'])
    for (const url of [
      `/rooms/${own}/participants/${id}/ban`,
      `/rooms/${own}/participants/${randomUUID()}/ban`,
      `/rooms/${randomUUID()}/participants/${id}/ban`,
      `/rooms/${roomId}/participants/abc/ban`,
    ]) {
      expect((await ask(url)).text).toBe(foreign.text)
    }
    expect(await eventsOf(roomId)).toEqual([])
    expect((await enter(roomId)).status).toBe(201)
  })
})
