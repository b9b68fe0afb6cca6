import { randomUUID } from 'node:crypto'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureServiceKey } from '../../platform/service-keys/ensure-service-key.ts'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Answer, toAnswer } from '../../testing/tenant-client.ts'

const plane = useControlPlane()
let acting: ActingTenant

beforeAll(async () => {
  // Tokens are signed with the time of the machine.
  plane.now = new Date()
  await ensureServiceKey(plane.deps)
  acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
})

async function stamps(roomId: string, bearer?: string, query = ''): Promise<Answer> {
  const url = `/api/v1/rooms/${roomId}/chat-stamps${query}`
  const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  return toAnswer(await plane.app.inject({ method: 'GET', url, headers }))
}

async function enter(roomId: string, bearer: string): Promise<Answer> {
  const url = `/api/v1/rooms/${roomId}/live/entry`
  const headers = { authorization: `Bearer ${bearer}` }
  return toAnswer(await plane.app.inject({ method: 'POST', url, headers }))
}

const MODERATORS = [
  { visibility: 'private', identifier: 'ok' },
  { visibility: 'private', identifier: 'ask_later' },
  { visibility: 'private', identifier: 'anything_else' },
]

describe('GET /rooms/{room_id}/chat-stamps', () => {
  // contract: listChatStamps › 200, list of `visibility` and `identifier` that the caller's role
  //   may send, by participant token
  test('answers what the role may send, to a participant token', async () => {
    const { id } = await plane.book()
    const bearer = await acting.signToken({ roomId: id, role: 'moderator' })
    const answer = await stamps(id, bearer)
    expect(answer.status).toBe(200)
    expect(answer.data).toEqual({ items: MODERATORS, next_cursor: null, has_more: false })
  })

  // contract: listChatStamps › By room ticket
  test('answers the same to the room ticket', async () => {
    const { id } = await plane.book()
    const entered = await enter(id, await acting.signToken({ roomId: id, role: 'moderator' }))
    expect((await stamps(id, entered.data.ticket)).data.items).toEqual(MODERATORS)
  })

  test.each([
    ['moderator', 3],
    ['observer', 4],
    ['platform_observer', 10],
    ['panelist', 0],
  ] as const)('lists for a %s %i of them', async (role: Role, count) => {
    const { id } = await plane.book()
    const { status, data } = await stamps(id, await acting.signToken({ roomId: id, role }))
    expect([status, data.items.length]).toEqual([200, count])
  })

  // contract: listChatStamps › `cursor`, `limit`
  test('continues after the cursor', async () => {
    const { id } = await plane.book()
    const bearer = await acting.signToken({ roomId: id, role: 'platform_observer' })
    const all = (await stamps(id, bearer)).data.items
    const first = await stamps(id, bearer, '?limit=6')
    const rest = await stamps(id, bearer, `?limit=6&cursor=${first.data.next_cursor}`)
    expect([first.data.has_more, rest.data.has_more]).toEqual([true, false])
    expect([...first.data.items, ...rest.data.items]).toEqual(all)
  })

  test('makes no participant and uses nothing up: the same token enters afterwards', async () => {
    const { id } = await plane.book()
    const bearer = await acting.signToken({ roomId: id, participant: undefined, jti: randomUUID() })
    expect((await stamps(id, bearer)).status).toBe(200)
    expect((await plane.tenant.get(`/rooms/${id}/participants`)).data.items).toEqual([])
    const { db } = plane.database
    expect(await db`select 1 from admissions where room_id = ${id}`).toHaveLength(0)
    expect((await enter(id, bearer)).status).toBe(201)
  })
})

describe('GET /rooms/{room_id}/chat-stamps refuses', () => {
  // contract: listChatStamps › 401 UNAUTHORIZED without a participant's credential, also with an
  //   API key
  test('no, a wrong or an API credential with the same 401', async () => {
    const { id } = await plane.book()
    const apiKey = await plane.tenant.get(`/rooms/${id}/chat-stamps`)
    for (const answer of [apiKey, await stamps(id), await stamps(id, 'x.y.z')]) {
      expect([answer.status, answer.code]).toEqual([401, 'UNAUTHORIZED'])
      expect(answer.text).toBe(apiKey.text)
    }
  })

  // contract: listChatStamps › 401 UNAUTHORIZED with that of another room
  test("another room's token or ticket with 401", async () => {
    const [one, other] = [await plane.book(), await plane.book()]
    const bearer = await acting.signToken({ roomId: one.id })
    const { data } = await enter(one.id, bearer)
    expect((await stamps(other.id, bearer)).status).toBe(401)
    expect((await stamps(other.id, data.ticket)).status).toBe(401)
  })

  // contract: renewTicket › The ticket is over after its 15 minutes: 401 UNAUTHORIZED
  test('a ticket that was changed, or is over, with 401', async () => {
    const { id } = await plane.book()
    const { data } = await enter(id, await acting.signToken({ roomId: id }))
    const [head, payload, signature] = String(data.ticket).split('.')
    const forged = `${head}.${payload}.${'A'.repeat(signature?.length ?? 0)}`
    expect((await stamps(id, forged)).status).toBe(401)
    const before = plane.now
    plane.now = new Date(before.getTime() + 16 * 60_000)
    const late = await stamps(id, data.ticket)
    plane.now = before
    expect(late.status).toBe(401)
  })

  // contract: listChatStamps › Other tenant: 404 NOT_FOUND
  test('a room of another tenant with 404, like an unknown one', async () => {
    const stranger = await createActingTenant(plane.deps)
    const { id } = await plane.book()
    const unknownId = randomUUID()
    const foreign = await stamps(id, await stranger.signToken({ roomId: id }))
    const unknown = await stamps(unknownId, await stranger.signToken({ roomId: unknownId }))
    expect([foreign.status, foreign.code]).toEqual([404, 'NOT_FOUND'])
    expect(foreign.text).toBe(unknown.text)
    const malformed = await stamps('abc', await stranger.signToken({ roomId: 'abc' }))
    expect(malformed.text).toBe(unknown.text)
    expect((await stamps('abc')).status).toBe(401)
  })

  // contract: listChatStamps › 400 UNKNOWN_ROLE
  test('an unknown role with 400 UNKNOWN_ROLE', async () => {
    const { id } = await plane.book()
    const answer = await stamps(id, await acting.signToken({ roomId: id, role: 'king' }))
    expect([answer.status, answer.code]).toEqual([400, 'UNKNOWN_ROLE'])
  })

  // contract: listChatStamps › 422 VALIDATION_ERROR in another role than that of the entry, of an
  //   anonymous token
  test('an anonymous token that has admitted a person in another role with 422', async () => {
    const { id } = await plane.book()
    const anonymous = { roomId: id, participant: undefined, jti: 'once' }
    await enter(id, await acting.signToken({ ...anonymous, role: 'panelist' }))
    const answer = await stamps(id, await acting.signToken({ ...anonymous, role: 'observer' }))
    expect(answer).toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
      details: [['role', 'NOT_ALLOWED']],
    })
  })

  // contract: listChatStamps › 409 SESSION_RELEASED
  test('a closed room with 409, for token and ticket', async () => {
    const { id } = await plane.book()
    const bearer = await acting.signToken({ roomId: id })
    const { data } = await enter(id, bearer)
    await plane.tenant.post(`/rooms/${id}/close`)
    for (const credential of [bearer, data.ticket]) {
      expect((await stamps(id, credential)).code).toBe('SESSION_RELEASED')
    }
  })

  // contract: listChatStamps › 409 PARTICIPANT_BANNED
  test('a banned participant with 409, for token and ticket', async () => {
    const { id } = await plane.book()
    const bearer = await acting.signToken({ roomId: id })
    const { data } = await enter(id, bearer)
    const path = `/rooms/${id}/participants/${data.participant.id}/ban`
    await plane.tenant.post(path, { reason: 'x' })
    for (const credential of [bearer, data.ticket]) {
      expect((await stamps(id, credential)).code).toBe('PARTICIPANT_BANNED')
    }
  })

  // contract: listChatStamps › 422 OUTSIDE_TIME_WINDOW
  test('anybody outside of the window with 422', async () => {
    const { id } = await plane.book({ startsInMin: 120 })
    const answer = await stamps(id, await acting.signToken({ roomId: id }))
    expect([answer.status, answer.code]).toEqual([422, 'OUTSIDE_TIME_WINDOW'])
  })

  // contract: listChatStamps › 400 INVALID_REQUEST
  test('an unknown query member with 400', async () => {
    const { id } = await plane.book()
    const answer = await stamps(id, await acting.signToken({ roomId: id }), '?role=moderator')
    expect(answer).toMatchObject({ status: 400, details: [['role', 'UNKNOWN_FIELD']] })
  })
})
