import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../testing/live-room.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const bookRoom = async (): Promise<string> => (await plane.book({ startsInMin: 0 })).id
const report = async (guest: Guest) => guest.post('/line', { quality: 'good' })

describe('POST /rooms/{room_id}/live/line', () => {
  test('answers 204, and nobody in the room is told', async () => {
    const roomId = await bookRoom()
    const [panelist, moderator] = [
      await live.enter(roomId, 'panelist'),
      await live.enter(roomId, 'moderator'),
    ]
    const reader = await moderator.listen()
    await reader.wait('snapshot')
    expect((await panelist.post('/line', { quality: 'poor' })).status).toBe(204)
    await moderator.post('/events', { event_type: 'marker' })
    await reader.wait('fact')
    expect(reader.raw()).not.toContain('poor')
  })

  test('more often than its page may is 429 RATE_LIMIT_EXCEEDED with Retry-After', async () => {
    const panelist = await live.enter(await bookRoom(), 'panelist')
    await panelist.post('/line', { quality: 'poor' })
    const refused = await panelist.post('/line', { quality: 'good' })
    expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' })
    expect(refused.headers['retry-after']).toBe('5')
  })

  test.each([
    [{}, 'REQUIRED'],
    [{ quality: 'excellent' }, 'INVALID_ENUM'],
    [{ quality: null }, 'NOT_NULLABLE'],
  ])('with %j is 400 INVALID_REQUEST', async (body, code) => {
    const panelist = await live.enter(await bookRoom(), 'panelist')
    const refused = await panelist.post('/line', body)
    expect(refused).toMatchObject({ status: 400, details: [['quality', code]] })
  })

  test('refuses whom the gate refuses', async () => {
    const roomId = await bookRoom()
    const [panelist, banned] = [
      await live.enter(roomId, 'panelist'),
      await live.enter(roomId, 'panelist'),
    ]
    await plane.tenant.post(`/rooms/${roomId}/participants/${banned.participantId}/ban`, {
      reason: 'x',
    })
    expect(await report(banned)).toMatchObject({ status: 409, code: 'PARTICIPANT_BANNED' })
    const { db } = plane.database
    await db`update sessions set starts_at = starts_at - interval '2 hours', ends_at = starts_at - interval '31 minutes' where room_id = ${roomId}`
    expect(await report(panelist)).toMatchObject({ status: 422, code: 'OUTSIDE_TIME_WINDOW' })
    await plane.tenant.post(`/rooms/${roomId}/close`)
    expect(await report(panelist)).toMatchObject({ status: 409, code: 'SESSION_RELEASED' })
  })
})
