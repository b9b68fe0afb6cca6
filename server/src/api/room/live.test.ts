import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../app.ts'
import { closeRoom } from '../../domain/room-end/close-room.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { ensureServiceKey } from '../../platform/service-keys/ensure-service-key.ts'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createTestDeps } from '../../testing/deps.ts'
import { createFakeMedia, type FakeMedia } from '../../testing/fake-media.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const HOUR_MS = 3_600_000

let database: TestDatabase
let media: FakeMedia
let deps: Deps
let app: Awaited<ReturnType<typeof createApp>>
let tenant: ActingTenant

beforeAll(async () => {
  database = await createTestDatabase()
  media = createFakeMedia()
  deps = createTestDeps({ db: database.db, media })
  await ensureServiceKey(deps)
  app = await createApp(deps)
  tenant = await createActingTenant(deps)
})

afterAll(async () => {
  await app.close()
  await database.drop()
})

async function post(
  roomId: string,
  path: string,
  options: { bearer?: string; body?: object } = {},
) {
  const answer = await app.inject({
    method: 'POST',
    url: `/api/v1/rooms/${roomId}/live/${path}`,
    headers: {
      'user-agent': CHROME,
      ...(options.bearer === undefined ? {} : { authorization: `Bearer ${options.bearer}` }),
    },
    ...(options.body === undefined ? {} : { payload: options.body }),
  })
  const json = answer.body === '' ? undefined : answer.json()
  return {
    status: answer.statusCode,
    headers: answer.headers,
    code: json?.error?.code,
    data: json?.data,
    json,
  }
}

async function enter(claims: { roomId: string; [claim: string]: unknown }) {
  return post(claims.roomId, 'entry', { bearer: await tenant.signToken(claims) })
}

describe('POST live/entry', () => {
  // contract: enterRoom › 201, `ticket`, `ticket_expires_at` (15 min, `ROOM_TICKET_LIFE_SEC`),
  //   `participant`, `room`, `session`, `media` (`url`, `token`), `capabilities`, `closes_at`
  // contract: enterRoom › `session` (`name`, `starts_at`, `ends_at`) and `closes_at`, the end of
  //   the window; `room` (`id`, `kind`, `stream_resolution`, `stream_frame_rate`)
  test('admits with a ticket, a media token and the rights of the role', async () => {
    const { roomId } = await tenant.addRoom()
    const { status, data } = await enter({ roomId, role: 'moderator' })
    expect(status).toBe(201)
    expect(data).toMatchObject({
      participant: { role: 'moderator', display_name: 'Hanako' },
      room: { id: roomId, stream_resolution: '320x240', stream_frame_rate: 15 },
      media: { token: `media-token-of-${data.participant.id}` },
      session: { name: null, starts_at: expect.any(String), ends_at: expect.any(String) },
      capabilities: { is_visible: true, can_publish_camera: true },
      consent: null,
    })
    expect(Date.parse(data.closes_at)).toBe(Date.parse(data.session.ends_at) + HOUR_MS / 2)
    expect(new Date(data.ticket_expires_at).getTime()).toBeGreaterThan(Date.now() + 14 * 60_000)
  })

  // contract: enterRoom › `capabilities` by role: `is_visible`, `can_publish_camera`,
  //   `can_publish_microphone`, `can_share_screen` (only where it is true), `can_close`, `can_ban`,
  //   `can_moderate`, `can_list_handouts`, `is_asked_for_consent`
  test.each([
    ['moderator', 'seen camera microphone screen close ban moderate handouts'],
    ['panelist', 'seen camera microphone consent'],
    ['observer', ''],
    ['platform_observer', 'ban handouts'],
  ])('returns the capabilities of a %s: %s', async (role, words) => {
    const { roomId } = await tenant.addRoom()
    const { data } = await enter({ roomId, role })
    const may = (word: string) => words.split(' ').includes(word)
    expect(data.capabilities).toEqual({
      is_visible: may('seen'),
      can_publish_camera: may('camera'),
      can_publish_microphone: may('microphone'),
      ...(may('screen') && { can_share_screen: true }),
      can_close: may('close'),
      can_ban: may('ban'),
      can_moderate: may('moderate'),
      can_list_handouts: may('handouts'),
      is_asked_for_consent: may('consent'),
    })
  })

  // contract: Fields of a Participant › One person is one Participant, however often and concurrently it
  //   enters
  test('makes one participant of twenty simultaneous entries of one person', async () => {
    const { roomId } = await tenant.addRoom()
    const bearer = await tenant.signToken({ roomId })
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => post(roomId, 'entry', { bearer })),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 201))
    expect(new Set(answers.map((answer) => answer.data.participant.id)).size).toBe(1)
  })

  // contract: Fields of an EntryHistory › Device and `ip_address` are taken at admission
  // contract: enterRoom › `device` from the header of the browser, when the page says nothing
  test('takes the device from the browser and the address from the connection', async () => {
    const { roomId } = await tenant.addRoom()
    await enter({ roomId })
    const [admission] = await database.db`select * from admissions where room_id = ${roomId}`
    expect(admission).toMatchObject({
      browser_name: 'Chrome',
      browser_version: '140.0.0.0',
      platform_name: 'Linux',
      ip_address: '127.0.0.1',
    })
  })

  // contract: enterRoom › `device` (`browser_name`, `browser_version`, `platform_name`,
  //   `platform_version`) as the page says
  test('trusts the page’s report about the device', async () => {
    const { roomId } = await tenant.addRoom()
    const device = {
      browser_name: 'Firefox',
      browser_version: '144.0',
      platform_name: 'macOS',
      platform_version: '26.1',
    }
    await post(roomId, 'entry', { bearer: await tenant.signToken({ roomId }), body: { device } })
    const [admission] = await database.db`select * from admissions where room_id = ${roomId}`
    expect(admission).toMatchObject(device)
  })

  // contract: enterRoom › Simple route by `access_token` and `name`: an anonymous panelist without
  //   a Participant
  // contract: enterRoom › `participant`: `id`, `role`, `display_name`
  test('admits by the access token as an anonymous panelist without a participant', async () => {
    const { roomId, accessToken } = await tenant.addRoom()
    const body = { access_token: accessToken, name: 'Guest' }
    const { status, data } = await post(roomId, 'entry', { body })
    expect(status).toBe(201)
    expect(data.participant).toEqual({ id: null, role: 'panelist', display_name: 'Guest' })
    expect(await database.db`select 1 from participants where room_id = ${roomId}`).toHaveLength(0)
  })

  // contract: enterRoom › 503 SERVICE_UNAVAILABLE while the media provider is down
  test('answers 503 while the media provider is down', async () => {
    const { roomId } = await tenant.addRoom()
    media.isDown = true
    const { status, code, headers } = await enter({ roomId })
    media.isDown = false
    expect({ status, code }).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(headers['retry-after']).toBeDefined()
  })
})

describe('POST live/entry refuses, in this order,', () => {
  // contract: enterRoom › 401 UNAUTHORIZED
  test('no or another credential with the same 401', async () => {
    const { roomId } = await tenant.addRoom()
    const answers = await Promise.all([
      post(roomId, 'entry'),
      post(roomId, 'entry', { bearer: 'nonsense' }),
      post(roomId, 'entry', { body: { access_token: 'wrong', name: 'Guest' } }),
      post(randomUUID(), 'entry', { body: { access_token: 'wrong', name: 'Guest' } }),
    ])
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(answer.json).toEqual(answers[0]?.json)
    }
  })

  test('a wrong access token with 401, whatever is wrong with the name', async () => {
    const { roomId } = await tenant.addRoom()
    for (const name of [{}, { name: 'a\u0007' }]) {
      const answer = await post(roomId, 'entry', { body: { access_token: 'wrong', ...name } })
      expect(answer).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    }
  })

  test('a missing name with 400, before the room is judged', async () => {
    const { roomId, accessToken } = await tenant.addRoom({
      startsAt: new Date(Date.now() + 2 * HOUR_MS),
      endsAt: new Date(Date.now() + 3 * HOUR_MS),
    })
    const answer = await post(roomId, 'entry', { body: { access_token: accessToken } })
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(answer.json.error.details).toMatchObject([{ field: 'name', code: 'REQUIRED' }])
  })

  // contract: enterRoom › 400 UNKNOWN_ROLE, before anything is said of the room
  // contract: Error codes › 400 UNKNOWN_ROLE
  test('an unknown role with 400, before the room is judged', async () => {
    const roomId = randomUUID()
    expect(await enter({ roomId, role: 'king' })).toMatchObject({
      status: 400,
      code: 'UNKNOWN_ROLE',
    })
  })

  // contract: enterRoom › 404 NOT_FOUND for an unknown room and for one of another tenant
  test('an unknown room, and a room of another tenant, with the same 404', async () => {
    const stranger = await createActingTenant(deps)
    const { roomId } = await stranger.addRoom()
    const [unknown, foreign] = [await enter({ roomId: randomUUID() }), await enter({ roomId })]
    expect(unknown).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(foreign.json).toEqual(unknown.json)
  })

  // contract: closeRoom › Later entries are refused
  // contract: enterRoom › 409 SESSION_RELEASED, before the window is checked
  test('a closed room with 409 SESSION_RELEASED, even outside of the window', async () => {
    const { roomId } = await tenant.addRoom({
      startsAt: new Date(Date.now() + 5 * HOUR_MS),
      endsAt: new Date(Date.now() + 6 * HOUR_MS),
    })
    await closeRoom(deps, { tenantId: tenant.tenantId, roomId, reason: null })
    expect(await enter({ roomId })).toMatchObject({ status: 409, code: 'SESSION_RELEASED' })
  })

  // contract: enterRoom › 409 SESSION_RELEASED with `x-session-released`: `cancelled` or `closed`
  test('says by a header whether the session was cancelled, or its room closed', async () => {
    const startsAt = new Date(Date.now() + 5 * HOUR_MS)
    const endsAt = new Date(Date.now() + 6 * HOUR_MS)
    const cancelled = (await tenant.addRoom({ startsAt, endsAt })).roomId
    const closed = (await tenant.addRoom()).roomId
    await enter({ roomId: closed })
    for (const roomId of [cancelled, closed]) {
      await closeRoom(deps, { tenantId: tenant.tenantId, roomId, reason: null })
    }
    const saidOf = async (roomId: string) => (await enter({ roomId })).headers['x-session-released']
    expect(await saidOf(cancelled)).toBe('cancelled')
    expect(await saidOf(closed)).toBe('closed')
  })

  // contract: enterRoom › 409 PARTICIPANT_BANNED
  test('a banned participant with 409 PARTICIPANT_BANNED, also with a fresh token', async () => {
    const { roomId } = await tenant.addRoom()
    const { data } = await enter({ roomId })
    await database.db`update participants set banned_at = now() where id = ${data.participant.id}`
    expect(await enter({ roomId, jti: 'new' })).toMatchObject({
      status: 409,
      code: 'PARTICIPANT_BANNED',
    })
  })

  // contract: enterRoom › 422 OUTSIDE_TIME_WINDOW, with the window in the headers
  // contract: Error codes › 422 OUTSIDE_TIME_WINDOW
  test('anybody outside of the window with 422, and says when it is', async () => {
    const startsAt = new Date(Date.now() + 2 * HOUR_MS)
    const { roomId } = await tenant.addRoom({
      startsAt,
      endsAt: new Date(Date.now() + 3 * HOUR_MS),
    })
    const { status, code, headers } = await enter({ roomId })
    expect({ status, code }).toEqual({ status: 422, code: 'OUTSIDE_TIME_WINDOW' })
    expect(headers['x-window-opens-at']).toBe(
      new Date(startsAt.getTime() - HOUR_MS / 2).toISOString(),
    )
    expect(await database.db`select 1 from participants where room_id = ${roomId}`).toHaveLength(0)
  })

  // contract: enterRoom › 422 VALIDATION_ERROR for one anonymous token id in two roles
  test('one anonymous token id in two roles with 422 VALIDATION_ERROR', async () => {
    const { roomId } = await tenant.addRoom()
    const anonymous = { roomId, participant: undefined, jti: 'two-roles' }
    await enter({ ...anonymous, role: 'panelist' })
    expect(await enter({ ...anonymous, role: 'observer' })).toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
    })
  })

  // contract: enterRoom › 400 INVALID_REQUEST for the body
  test('a body with an unknown member, or a name of control characters, with 400', async () => {
    const { roomId, accessToken } = await tenant.addRoom()
    const unknown = await post(roomId, 'entry', { body: { access_token: accessToken, nick: 'x' } })
    const noName = await post(roomId, 'entry', {
      body: { access_token: accessToken, name: 'a\u0007' },
    })
    expect(unknown).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(noName).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
  })
})

describe('an entry that races a close', () => {
  // contract: States of a Room › Participants enter before the close or are refused, never after it
  test('is either before it or refused: no admission is younger than the close', async () => {
    for (let round = 0; round < 30; round += 1) {
      const { roomId } = await tenant.addRoom()
      const bearer = await tenant.signToken({ roomId })
      const close = closeRoom(deps, { tenantId: tenant.tenantId, roomId, reason: null })
      const entries = Array.from({ length: 3 }, async () => post(roomId, 'entry', { bearer }))
      const [answers] = await Promise.all([Promise.all(entries), close])
      const late = await database.db`
        select 1 from admissions a join rooms r on r.id = a.room_id
         where r.id = ${roomId} and a.admitted_at > r.closed_at
      `
      expect(late).toHaveLength(0)
      expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
      expect((await post(roomId, 'entry', { bearer })).code).toBe('SESSION_RELEASED')
    }
  })
})

describe('POST live/ticket', () => {
  // contract: renewTicket › 201, new ticket and media token
  test('renews ticket and media token', async () => {
    const { roomId } = await tenant.addRoom()
    const { data } = await enter({ roomId })
    const renewed = await post(roomId, 'ticket', { bearer: data.ticket })
    expect(renewed.status).toBe(201)
    expect(renewed.data.media.token).toBe(data.media.token)
  })

  // contract: renewTicket › `is_connected`: the media room is not looked after with true
  test('asks the media provider for nothing while media is up, and for an empty room otherwise', async () => {
    const { roomId } = await tenant.addRoom()
    const { data } = await enter({ roomId })
    const asked: string[] = []
    media.onCall = (method) => void asked.push(method)
    const renew = (body?: object) =>
      post(roomId, 'ticket', { bearer: data.ticket, ...(body && { body }) })
    expect((await renew({ is_connected: true })).status).toBe(201)
    expect(asked).toEqual([])
    expect((await renew({ is_connected: false })).status).toBe(201)
    expect((await renew()).status).toBe(201)
    const ensuring = expect.stringMatching(/^ensure/)
    expect(asked).toEqual([ensuring, ensuring])
    media.onCall = undefined
  })

  // contract: renewTicket › 401 UNAUTHORIZED for anything but this room's ticket
  test("refuses another room's ticket, a participant token and nonsense with 401", async () => {
    const [one, other] = [await tenant.addRoom(), await tenant.addRoom()]
    const { data } = await enter({ roomId: one.roomId })
    const token = await tenant.signToken({ roomId: one.roomId })
    expect((await post(other.roomId, 'ticket', { bearer: data.ticket })).status).toBe(401)
    expect((await post(one.roomId, 'ticket', { bearer: token })).status).toBe(401)
    expect((await post(one.roomId, 'ticket', { bearer: 'x.y.z' })).status).toBe(401)
  })

  // contract: renewTicket › 409 SESSION_RELEASED after the close
  test('holds no longer than the room: 409 after the close', async () => {
    const { roomId } = await tenant.addRoom()
    const { data } = await enter({ roomId })
    await closeRoom(deps, { tenantId: tenant.tenantId, roomId, reason: null })
    expect(await post(roomId, 'ticket', { bearer: data.ticket })).toMatchObject({
      status: 409,
      code: 'SESSION_RELEASED',
    })
  })
})

describe('POST live/connected', () => {
  // contract: reportConnected › 202 until the provider agrees on `media_sid`, then 204 and one
  //   EntryHistory
  test('opens the entry when the provider agrees, and only then', async () => {
    const { roomId } = await tenant.addRoom()
    const { data } = await enter({ roomId })
    const report = (mediaSid: string) =>
      post(roomId, 'connected', { bearer: data.ticket, body: { media_sid: mediaSid } })

    expect((await report('PA_nobody')).status).toBe(202)
    const { sid } = media.connect(roomId, data.participant.id)
    expect((await report(sid)).status).toBe(204)
    expect((await report(sid)).status).toBe(204)
    expect(await database.db`select 1 from entry_histories where room_id = ${roomId}`).toHaveLength(
      1,
    )
  })
})

describe('a ticket', () => {
  // contract: renewTicket, reportConnected › 422 OUTSIDE_TIME_WINDOW after the window
  test.each([
    ['ticket', undefined],
    ['connected', { media_sid: 'PA_1' }],
  ])('for %s holds no longer than the window: 422 OUTSIDE_TIME_WINDOW', async (path, body) => {
    const { roomId } = await tenant.addRoom()
    const { data } = await enter({ roomId })
    await database.db`
      update sessions set starts_at = now() - interval '3 hours',
                          ends_at = now() - interval '31 minutes'
       where room_id = ${roomId}
    `
    const answer = await post(roomId, path, { bearer: data.ticket, ...(body && { body }) })
    expect(answer).toMatchObject({ status: 422, code: 'OUTSIDE_TIME_WINDOW' })
  })

  // contract: renewTicket › The media token lives 10 min (`MEDIA_TOKEN_LIFE_SEC`)
  test('comes with a media token of ten minutes', async () => {
    const sign = vi.spyOn(media, 'signToken')
    const { roomId } = await tenant.addRoom()
    await enter({ roomId })
    expect(sign.mock.calls).toMatchObject([[{ mediaRoom: roomId, lifeSec: 600 }]])
    sign.mockRestore()
  })

  // contract: reportConnected › 409 SESSION_RELEASED after the close
  test('opens no connection after the close: 409 SESSION_RELEASED', async () => {
    const { roomId } = await tenant.addRoom()
    const { data } = await enter({ roomId })
    await closeRoom(deps, { tenantId: tenant.tenantId, roomId, reason: null })
    const body = { media_sid: 'PA_1' }
    const answer = await post(roomId, 'connected', { bearer: data.ticket, body })
    expect(answer).toMatchObject({ status: 409, code: 'SESSION_RELEASED' })
  })
})

describe('GET /.well-known/jwks.json', () => {
  // contract: getKeys › 200 at both addresses, RFC 7517 `keys` (`kty`, `crv`, `x`, `y`, `kid`,
  //   `alg`, `use`), public halves only
  test('publishes the key of the tickets without its private half', async () => {
    for (const url of ['/.well-known/jwks.json', '/api/v1/.well-known/jwks.json']) {
      const { keys } = (await app.inject({ url })).json()
      expect(keys).toHaveLength(1)
      expect(Object.keys(keys[0]).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    }
  })
})
