import { randomUUID } from 'node:crypto'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/db.ts'
import { uuidv7 } from '../../platform/lib/uuid.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { queueForRoom } from '../room-log/room-lock.ts'
import { banParticipant } from './ban-participant.ts'
import { insertParticipant } from './participant-store.ts'

const plane = useControlPlane()

interface Person {
  role?: Role
  name?: string
  isAnonymous?: boolean
}

async function addParticipant(
  roomId: string,
  { role = 'panelist', name = 'Hanako', isAnonymous = false }: Person = {},
): Promise<string> {
  const { tenantId } = plane.tenant
  const key = randomUUID()
  return inTransaction(plane.database.db, async (tx) => {
    const locked = await queueForRoom(tx, roomId, 'shared')
    const identity = isAnonymous
      ? ({ kind: 'anonymous', anonymousKey: key } as const)
      : ({ kind: 'external', externalType: 'User', externalId: key } as const)
    const id = uuidv7()
    await insertParticipant(tx, locked, { id, tenantId, roomId, identity, role, displayName: name })
    return id
  })
}

async function ban(roomId: string, participantId: string): Promise<void> {
  const { tenantId } = plane.tenant
  await inTransaction(plane.database.db, (tx) =>
    banParticipant(tx, { tenantId, roomId, participantId, reason: 'x' }, () => plane.now),
  )
}

const idsOf = ({ data }: { data: { items: { id: string }[] } }) => data.items.map(({ id }) => id)

describe('GET /rooms/{room_id}/participants', () => {
  // contract: Fields of a Participant › `id`, `room_id`, `role`, `display_name`, `external_type`,
  //   `external_id`, `status`, `banned_at` (null when never banned), `created_at`
  // contract: listParticipants › 200, list of Participants
  test('answers every field of a participant', async () => {
    const room = await plane.book()
    const id = await addParticipant(room.id, { role: 'moderator', name: '面接官' })
    const answer = await plane.tenant.get(`/rooms/${room.id}/participants`)
    expect(answer.status).toBe(200)
    expect(answer.data).toEqual({
      items: [
        {
          id,
          room_id: room.id,
          role: 'moderator',
          display_name: '面接官',
          external_type: 'User',
          external_id: expect.any(String),
          status: 'active',
          banned_at: null,
          created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ],
      next_cursor: null,
      has_more: false,
    })
  })

  // contract: Fields of a Participant › `external_type`, `external_id` are null for anonymous
  //   entry; `banned_at` of a banned one
  test('shows an anonymous participant without references, and a banned one with its time', async () => {
    const room = await plane.book()
    const id = await addParticipant(room.id, { isAnonymous: true })
    await ban(room.id, id)
    const { data } = await plane.tenant.get(`/rooms/${room.id}/participants`)
    expect(data.items).toMatchObject([
      {
        id,
        external_type: null,
        external_id: null,
        status: 'banned',
        banned_at: plane.now.toISOString(),
      },
    ])
  })

  // contract: listParticipants › Filters `role`, `status`
  test('filters by role, by status and by both', async () => {
    const room = await plane.book()
    const moderator = await addParticipant(room.id, { role: 'moderator' })
    const panelist = await addParticipant(room.id)
    const banned = await addParticipant(room.id)
    await ban(room.id, banned)
    const list = async (query: string) =>
      idsOf(await plane.tenant.get(`/rooms/${room.id}/participants${query}`))
    expect(await list('')).toEqual([moderator, panelist, banned])
    expect(await list('?role=panelist')).toEqual([panelist, banned])
    expect(await list('?status=active')).toEqual([moderator, panelist])
    expect(await list('?status=banned')).toEqual([banned])
    expect(await list('?role=panelist&status=active')).toEqual([panelist])
    expect(await list('?role=platform_observer')).toEqual([])
  })

  // contract: listParticipants › Readable after the close
  test('of a closed room stay readable', async () => {
    const room = await plane.book()
    const id = await addParticipant(room.id)
    await plane.tenant.post(`/rooms/${room.id}/close`)
    expect(idsOf(await plane.tenant.get(`/rooms/${room.id}/participants`))).toEqual([id])
  })

  // contract: listParticipants › created_at ascending; `cursor`, `limit`
  test('continues after the cursor, in order of creation', async () => {
    const room = await plane.book()
    const made: string[] = []
    for (let at = 0; at < 5; at += 1) made.push(await addParticipant(room.id))
    const seen: string[] = []
    let query = '?limit=2'
    for (;;) {
      const page = await plane.tenant.get(`/rooms/${room.id}/participants${query}`)
      seen.push(...idsOf(page))
      if (!page.data.has_more) break
      query = `?limit=2&cursor=${page.data.next_cursor}`
    }
    expect(seen).toEqual(made)
  })
})

describe('GET /rooms/{room_id}/participants refuses', () => {
  let roomId: string
  let cursor: string

  beforeAll(async () => {
    roomId = (await plane.book()).id
    await addParticipant(roomId)
    await addParticipant(roomId)
    cursor = (await plane.tenant.get(`/rooms/${roomId}/participants?limit=1`)).data.next_cursor
  })

  // contract: listParticipants › 400 INVALID_REQUEST for enums, `limit`, `cursor`, unknown
  //   parameters
  test.each([
    ['role=king', ['role', 'INVALID_ENUM']],
    ['role=', ['role', 'INVALID_ENUM']],
    ['role=panelist&role=observer', ['role', 'INVALID_TYPE']],
    ['status=gone', ['status', 'INVALID_ENUM']],
    ['limit=0', ['limit', 'OUT_OF_RANGE']],
    ['limit=101', ['limit', 'OUT_OF_RANGE']],
    ['cursor=abc', ['cursor', 'INVALID_FORMAT']],
    ['name=x', ['name', 'UNKNOWN_FIELD']],
  ])('%s with 400 INVALID_REQUEST', async (query, detail) => {
    const refused = await plane.tenant.get(`/rooms/${roomId}/participants?${query}`)
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST', details: [detail] })
  })

  // contract: Pagination › A cursor of another room, filter or list, over HTTP
  test('a cursor of another filter or another room with 400', async () => {
    const room = await plane.book()
    for (const path of [
      `/rooms/${roomId}/participants?role=panelist&cursor=${cursor}`,
      `/rooms/${room.id}/participants?cursor=${cursor}`,
      `/rooms/${roomId}/room-events?cursor=${cursor}`,
    ]) {
      expect(await plane.tenant.get(path)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    }
  })

  // contract: listParticipants › Other tenant: 404 NOT_FOUND
  test('a room of another tenant with 404, byte for byte like an unknown or malformed id', async () => {
    const foreign = await plane.other.get(`/rooms/${roomId}/participants`)
    expect([foreign.status, foreign.code]).toEqual([404, 'NOT_FOUND'])
    for (const id of [randomUUID(), 'abc']) {
      expect((await plane.other.get(`/rooms/${id}/participants`)).text).toBe(foreign.text)
    }
  })
})
