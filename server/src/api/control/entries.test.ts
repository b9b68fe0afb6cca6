import { randomUUID } from 'node:crypto'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { nextRoomMoment } from '../../domain/room-log/room-clock.ts'
import { queueForRoom } from '../../domain/room-log/room-lock.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { useControlPlane } from '../../testing/control-plane.ts'

const plane = useControlPlane()

const pathOf = (roomId: string, query = '') => `/rooms/${roomId}/entry-histories${query}`

interface TestEntry {
  role?: Role
  participantId?: string
  /** Device and address, as they were measured. */
  device?: string
  stayedMs?: number
}

/** An entry as the runtime leaves it; answers its id. */
async function addEntry(roomId: string, entry: TestEntry = {}): Promise<number> {
  const { role = 'panelist', participantId = null, device = null, stayedMs } = entry
  const address = device === null ? null : '203.0.113.7'
  return inTransaction(plane.database.db, async (tx) => {
    const { seq, at } = await nextRoomMoment(tx, await queueForRoom(tx, roomId, 'shared'))
    const leftAt = stayedMs === undefined ? null : new Date(at.getTime() + stayedMs)
    const [row] = await tx`
      insert into entry_histories (tenant_id, room_id, seq, participant_id, media_identity,
                                   media_sid, name, role, browser_name, browser_version,
                                   platform_name, platform_version, ip_address, entered_at, left_at)
      values (${plane.tenant.tenantId}, ${roomId}, ${seq}, ${participantId}, ${randomUUID()},
              ${randomUUID()}, '花子', ${role}, ${device}, ${device}, ${device}, ${device},
              ${address}, ${at}, ${leftAt})
      returning id
    `
    return Number(row?.['id'])
  })
}

async function addParticipant(roomId: string): Promise<string> {
  const id = randomUUID()
  await plane.database.db`
    insert into participants (id, tenant_id, room_id, seq, role, display_name, anonymous_key,
                              created_at)
    values (${id}, ${plane.tenant.tenantId}, ${roomId}, 0, 'panelist', '花子', ${id}, now())
  `
  return id
}

const idsOf = ({ data }: { data: { items: { id: number }[] } }) => data.items.map(({ id }) => id)

describe('GET /rooms/{room_id}/entry-histories', () => {
  // contract: Fields of an EntryHistory › `id`, `room_id`, `participant_id`, `name`, `role`
  // contract: Fields of an EntryHistory › `browser_name`, `browser_version`, `platform_name`,
  //   `platform_version`, `ip_address`
  // contract: Fields of an EntryHistory › `entered_at`, `left_at`, `duration_sec` (left_at minus
  //   entered_at)
  // contract: listEntryHistories › 200, list of EntryHistories
  test('answers every field of a measured person who has left', async () => {
    const { id: roomId } = await plane.book()
    const participantId = await addParticipant(roomId)
    const id = await addEntry(roomId, { participantId, device: 'x', stayedMs: 61_900 })
    const answer = await plane.tenant.get(pathOf(roomId))
    expect(answer.status).toBe(200)
    const [{ entered_at }] = answer.data.items
    expect(answer.data).toEqual({
      items: [
        {
          id,
          room_id: roomId,
          participant_id: participantId,
          name: '花子',
          role: 'panelist',
          browser_name: 'x',
          browser_version: 'x',
          platform_name: 'x',
          platform_version: 'x',
          ip_address: '203.0.113.7',
          entered_at: expect.stringMatching(/^\d{4}-.*Z$/),
          left_at: new Date(Date.parse(entered_at) + 61_900).toISOString(),
          duration_sec: 61,
        },
      ],
      next_cursor: null,
      has_more: false,
    })
  })

  // contract: Fields of an EntryHistory › Null: `participant_id` of an anonymous entry, what was
  //   not measured, `left_at` and `duration_sec` while inside
  test('has null for an anonymous entry, for missing measurements and for a person who has not left', async () => {
    const { id: roomId } = await plane.book()
    const id = await addEntry(roomId)
    const { data } = await plane.tenant.get(pathOf(roomId))
    expect(data.items).toEqual([
      {
        id,
        room_id: roomId,
        participant_id: null,
        name: '花子',
        role: 'panelist',
        browser_name: null,
        browser_version: null,
        platform_name: null,
        platform_version: null,
        ip_address: null,
        entered_at: expect.any(String),
        left_at: null,
        duration_sec: null,
      },
    ])
  })

  // contract: listEntryHistories › Filter `role`; entered_at ascending
  test('lists them in the order of entering, and filters by role', async () => {
    const { id: roomId } = await plane.book()
    const ids: number[] = []
    for (const role of [...ROLES, ...ROLES]) ids.push(await addEntry(roomId, { role }))
    const all = await plane.tenant.get(pathOf(roomId))
    expect(idsOf(all)).toEqual(ids)
    const times = all.data.items.map((entry: { entered_at: string }) => entry.entered_at)
    expect(times).toEqual(times.toSorted())
    for (const [at, role] of ROLES.entries()) {
      const some = await plane.tenant.get(pathOf(roomId, `?role=${role}`))
      expect(idsOf(some)).toEqual([ids[at], ids[at + ROLES.length]])
    }
  })

  // contract: listEntryHistories › `cursor`, `limit`
  test('continues after the cursor, even with a filter', async () => {
    const { id: roomId } = await plane.book()
    const panelists: number[] = []
    for (let at = 0; at < 5; at += 1) {
      panelists.push(await addEntry(roomId))
      await addEntry(roomId, { role: 'observer' })
    }
    const seen: number[] = []
    let query = '?role=panelist&limit=2'
    for (;;) {
      const answer = await plane.tenant.get(pathOf(roomId, query))
      seen.push(...idsOf(answer))
      if (!answer.data.has_more) break
      query = `?role=panelist&limit=2&cursor=${answer.data.next_cursor}`
    }
    expect(seen).toEqual(panelists)
  })

  // contract: closeRoom › Entries stay readable
  // contract: listEntryHistories › Readable after the close
  test('of a closed room stay readable', async () => {
    const { id: roomId } = await plane.book()
    const id = await addEntry(roomId)
    await plane.tenant.post(`/rooms/${roomId}/close`)
    expect(idsOf(await plane.tenant.get(pathOf(roomId)))).toEqual([id])
  })
})

describe('GET /rooms/{room_id}/entry-histories refuses', () => {
  // contract: listEntryHistories › 400 INVALID_REQUEST for enums, `limit`, `cursor`, unknown
  //   parameters
  test.each([
    ['role=king', ['role', 'INVALID_ENUM']],
    ['role=', ['role', 'INVALID_ENUM']],
    ['role=panelist&role=observer', ['role', 'INVALID_TYPE']],
    ['limit=0', ['limit', 'OUT_OF_RANGE']],
    ['limit=101', ['limit', 'OUT_OF_RANGE']],
    ['cursor=AAAA', ['cursor', 'INVALID_FORMAT']],
    ['participant_id=x', ['participant_id', 'UNKNOWN_FIELD']],
  ])('%s with 400 INVALID_REQUEST', async (query, detail) => {
    const { id } = await plane.book()
    const refused = await plane.tenant.get(pathOf(id, `?${query}`))
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST', details: [detail] })
  })

  // contract: listEntryHistories › Other tenant: 404 NOT_FOUND
  test('a room of another tenant with 404, byte for byte like an unknown or malformed id', async () => {
    const { id } = await plane.book()
    await addEntry(id)
    const foreign = await plane.other.get(pathOf(id))
    expect([foreign.status, foreign.code]).toEqual([404, 'NOT_FOUND'])
    for (const unknown of [randomUUID(), 'abc']) {
      expect((await plane.other.get(pathOf(unknown))).text).toBe(foreign.text)
    }
  })
})
