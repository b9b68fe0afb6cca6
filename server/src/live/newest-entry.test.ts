import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../testing/control-plane.ts'
import { useLiveRooms } from '../testing/live-room.ts'
import { waitFor } from '../testing/wait-for.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const ONE_PERSON = { participant: { external_type: 'User', external_id: 'twice' } }
const ELSEWHERE = 'Bearer error="invalid_token", error_description="opened elsewhere"'

const bookRoom = async (): Promise<string> => (await plane.book({ startsInMin: 1 })).id

describe('a person who enters twice', () => {
  test('is told at the older page, whose media was never up, and only there', async () => {
    const roomId = await bookRoom()
    const other = await live.enter(roomId, 'moderator')
    const older = await live.enter(roomId, 'panelist', ONE_PERSON)
    const [beside, before] = await Promise.all([other.listen(), older.listen()])
    await before.wait('snapshot')
    const newer = await live.enter(roomId, 'panelist', ONE_PERSON)
    const after = await newer.listen()

    expect(newer.participantId).toBe(older.participantId)
    expect(await before.wait('removed')).toEqual({ reason: 'opened_elsewhere' })
    await waitFor(before.hasEnded)
    expect((await newer.post('/events', { event_type: 'hand.raised' })).status).toBe(201)
    await beside.wait('roster')
    await after.wait('roster')
    for (const reader of [beside, after]) {
      expect(reader.events.map(({ name }) => name)).not.toContain('removed')
      expect(reader.hasEnded()).toBe(false)
    }
  })

  test('has one ticket that works: the older one is 401, and says why', async () => {
    const roomId = await bookRoom()
    const older = await live.enter(roomId, 'panelist', ONE_PERSON)
    const newer = await live.enter(roomId, 'panelist', ONE_PERSON)
    const refused = await older.post('/ticket')
    expect(refused).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(refused.headers['www-authenticate']).toBe(ELSEWHERE)
    expect((await older.post('/events', { event_type: 'hand.raised' })).status).toBe(401)
    await expect(older.listen()).rejects.toThrow('UNAUTHORIZED')
    expect((await newer.post('/ticket')).status).toBe(201)
  })

  test('takes the room back by entering again', async () => {
    const roomId = await bookRoom()
    await live.enter(roomId, 'observer', ONE_PERSON)
    const second = await live.enter(roomId, 'observer', ONE_PERSON)
    const reader = await second.listen()
    await reader.wait('snapshot')
    const third = await live.enter(roomId, 'observer', ONE_PERSON)
    expect(await reader.wait('removed')).toEqual({ reason: 'opened_elsewhere' })
    expect((await third.post('/ticket')).status).toBe(201)
  })

  test('who was banned hears of the ban, and not of the other page', async () => {
    const roomId = await bookRoom()
    const moderator = await live.enter(roomId, 'moderator')
    const older = await live.enter(roomId, 'panelist', ONE_PERSON)
    await live.enter(roomId, 'panelist', ONE_PERSON)
    await moderator.post(`/participants/${older.participantId}/ban`, { reason: 'r' })
    expect(await older.post('/ticket')).toMatchObject({ status: 409, code: 'PARTICIPANT_BANNED' })
  })
})

test('a renewed ticket is of the same entry: a cut line throws nobody out', async () => {
  const roomId = await bookRoom()
  const guest = await live.enter(roomId, 'panelist')
  const first = await guest.listen()
  await first.wait('snapshot')
  const { data } = await guest.post('/ticket')
  first.close()
  const renewed = { ...guest, ticket: data.ticket }
  expect((await renewed.post('/ticket')).status).toBe(201)
  const again = await guest.listen(first.lastId())
  expect((await guest.post('/events', { event_type: 'hand.raised' })).status).toBe(201)
  await again.wait('roster')
  expect(again.events.map(({ name }) => name)).not.toContain('removed')
})
