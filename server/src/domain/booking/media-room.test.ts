import { describe, expect, test } from 'vitest'
import { mediaRoomSpec } from './media-room.ts'

const session = {
  startsAt: new Date('2026-06-01T10:00:00Z'),
  endsAt: new Date('2026-06-01T11:00:00Z'),
}

describe('a media room', () => {
  // contract: createRoom › Empty timeout at least slot length + 30 min (`MEDIA_ROOM_SLACK_SEC` is
  //   35 min)
  // contract: Limits › Room empty timeout: at least slot length + 30 min
  test.each([
    ['an hour before the end', '2026-06-01T10:00:00Z', 60 + 35],
    ['ten minutes before the end', '2026-06-01T10:50:00Z', 60 + 35],
    ['after the end', '2026-06-01T11:20:00Z', 60 + 35],
    ['a day before the end', '2026-05-31T11:00:00Z', 24 * 60 + 35],
  ])('made %s may stand empty for the slot or the time left, and 35 minutes', (_name, now, min) => {
    const spec = mediaRoomSpec({ id: 'r', session }, new Date(now))
    expect(spec).toEqual({ name: 'r', emptyTimeoutSec: min * 60, metadata: { room_id: 'r' } })
  })

  test('made centuries before its slot gets the longest empty timeout that the provider can count', () => {
    const spec = mediaRoomSpec({ id: 'r', session }, new Date('1026-06-01T10:00:00Z'))
    expect(spec.emptyTimeoutSec).toBe(2 ** 31 - 1)
  })

  test('without a slot gets the empty timeout of the longest possible slot', () => {
    const spec = mediaRoomSpec({ id: 'r', session: null }, new Date())
    expect(spec.emptyTimeoutSec).toBe(24 * 3600 + 35 * 60)
  })
})
