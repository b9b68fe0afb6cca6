import type { Person } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { connectMedia } from '../../testing/entries.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const bookRoom = async (): Promise<string> => (await plane.book({ startsInMin: 0 })).id
const linesOf = (roster: Person[]) =>
  Object.fromEntries(roster.map((each) => [each.role, each.line]))
const isHandUp = ({ roster }: { roster: Person[] }) => roster.some((each) => each.has_hand_raised)
const hasSilentPanelist =
  (is: boolean) =>
  ({ roster }: { roster: Person[] }) =>
    roster.some((each) => each.role === 'panelist' && each.is_microphone_silent === is)
const report = async (guest: Guest) => guest.post('/line', { quality: 'good' })

describe('POST /rooms/{room_id}/live/line', () => {
  // contract: streamRoom › `line` in the roster, for moderators and operators alone
  // contract: reportConnectionQuality › 204 for a `quality`; moderators and operators get it with the roster
  //   (`line`), nobody else
  test('returns 204 and publishes the roster only to moderators and operators', async () => {
    const roomId = await bookRoom()
    const come = async (role: Role) => {
      const guest = await live.enter(roomId, role)
      await connectMedia(plane, { roomId, identity: guest.participantId })
      const reader = await guest.listen()
      await reader.wait('snapshot')
      return { guest, reader }
    }
    const [moderator, operator] = [await come('moderator'), await come('platform_observer')]
    const [panelist, observer] = [await come('panelist'), await come('observer')]
    for (const [{ guest }, quality] of [
      [moderator, 'good'],
      [operator, 'fair'],
      [panelist, 'poor'],
      [observer, 'lost'],
    ] as const) {
      expect((await guest.post('/line', { quality })).status).toBe(204)
    }

    const all = { moderator: 'good', platform_observer: 'fair', panelist: 'poor', observer: 'lost' }
    for (const { reader } of [moderator, operator]) {
      await reader.wait('roster', ({ roster }) => roster.some(({ line }) => line === 'lost'))
      expect(linesOf(reader.events.at(-1)?.data.roster)).toEqual(all)
    }
    const later = await (await moderator.guest.listen()).wait('snapshot')
    expect(linesOf(later.roster)).toEqual(all)

    await panelist.guest.post('/events', { event_type: 'hand.raised' })
    for (const { reader } of [panelist, observer]) {
      await reader.wait('roster', isHandUp)
      expect(reader.raw()).not.toContain('"line"')
    }
    // The raised hand is the only roster event that a panelist receives.
    const names = panelist.reader.events.map(({ name }) => name)
    expect(names.filter((name) => name === 'roster')).toHaveLength(1)
  })

  // contract: streamRoom › `is_microphone_silent` in the roster, for moderators and operators alone
  // contract: reportConnectionQuality › 204 with `is_microphone_silent`; moderators and operators get it with the
  //   roster, nobody else
  test('tells moderators and operators of a microphone that is on and sends nothing', async () => {
    const roomId = await bookRoom()
    const panelist = await live.enter(roomId, 'panelist')
    await connectMedia(plane, { roomId, identity: panelist.participantId })
    const others = [await live.enter(roomId, 'moderator'), await live.enter(roomId, 'observer')]
    const [moderator, observer] = await Promise.all(others.map((each) => each.listen()))
    const before = plane.now
    for (const [index, is] of [true, false].entries()) {
      plane.now = new Date(before.getTime() + index * 5_000)
      const body = { quality: 'good', is_microphone_silent: is }
      expect((await panelist.post('/line', body)).status).toBe(204)
      await moderator?.wait('roster', hasSilentPanelist(is))
    }
    plane.now = before
    await panelist.post('/events', { event_type: 'hand.raised' })
    await observer?.wait('roster', isHandUp)
    expect(observer?.raw()).not.toContain('is_microphone_silent')
  })

  // contract: reportConnectionQuality › A repeated quality is not published
  test('publishes nothing when the quality is unchanged', async () => {
    const roomId = await bookRoom()
    const [panelist, moderator] = [
      await live.enter(roomId, 'panelist'),
      await live.enter(roomId, 'moderator'),
    ]
    const reader = await moderator.listen()
    await reader.wait('snapshot')
    const before = plane.now
    expect((await report(panelist)).status).toBe(204)
    plane.now = new Date(before.getTime() + 5_000)
    expect((await report(panelist)).status).toBe(204)
    plane.now = before
    await moderator.post('/events', { event_type: 'marker' })
    await reader.wait('fact')
    expect(reader.events.map(({ name }) => name)).toEqual(['snapshot', 'roster', 'fact'])
  })

  // contract: reportConnectionQuality › 429 RATE_LIMIT_EXCEEDED with `Retry-After`
  test('more often than allowed is 429 RATE_LIMIT_EXCEEDED with Retry-After', async () => {
    const panelist = await live.enter(await bookRoom(), 'panelist')
    await panelist.post('/line', { quality: 'poor' })
    const refused = await panelist.post('/line', { quality: 'good' })
    expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' })
    expect(refused.headers['retry-after']).toBe('5')
  })

  // contract: reportConnectionQuality › 400 INVALID_REQUEST
  test.each([
    [{}, 'REQUIRED'],
    [{ quality: 'excellent' }, 'INVALID_ENUM'],
    [{ quality: null }, 'NOT_NULLABLE'],
  ])('with %j is 400 INVALID_REQUEST', async (body, code) => {
    const panelist = await live.enter(await bookRoom(), 'panelist')
    const refused = await panelist.post('/line', body)
    expect(refused).toMatchObject({ status: 400, details: [['quality', code]] })
  })

  // contract: reportConnectionQuality › 409 SESSION_RELEASED, 409 PARTICIPANT_BANNED, 422 OUTSIDE_TIME_WINDOW
  test('refuses callers without admission', async () => {
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
