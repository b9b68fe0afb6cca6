import { describe, expect, test } from 'vitest'
import { isCancelledByClose, statusOf, windowOf } from './session.ts'

const slot = {
  startsAt: new Date('2026-06-01T10:00:00Z'),
  endsAt: new Date('2026-06-01T11:00:00Z'),
}
const at = (text: string) => new Date(`2026-06-01T${text}Z`)

// contract: States of a Session › Window: 30 minutes (`WINDOW_MARGIN_SEC`) on both sides of the
//   slot
// contract: Limits › Window: `starts_at` - 30 min to `ends_at` + 30 min
test('the window opens 30 minutes before the slot and closes 30 minutes after it', () => {
  expect(windowOf(slot)).toEqual({ opensAt: at('09:30:00'), closesAt: at('11:30:00') })
})

test('the window of a slot that ends in December 9999 is cut at the last moment that RFC 3339 can write', () => {
  const endsAt = new Date('9999-12-31T23:45:00Z')
  const { closesAt } = windowOf({ startsAt: new Date('9999-12-31T23:00:00Z'), endsAt })
  expect(closesAt.toISOString()).toBe('9999-12-31T23:59:59.999Z')
})

describe('the status of a session', () => {
  const untouched = { ...slot, cancelledAt: null, roomClosedAt: null }

  // contract: States of a Session › scheduled before the window, active in it (both ends included),
  //   closed after it
  test.each([
    ['09:29:59.999', 'scheduled'],
    ['09:30:00.000', 'active'],
    ['10:30:00.000', 'active'],
    ['11:30:00.000', 'active'],
    ['11:30:00.001', 'closed'],
  ])('at %s is %s', (time, status) => {
    expect(statusOf(untouched, at(time))).toBe(status)
  })

  // contract: States of a Session › closed once its Room is closed
  test.each(['09:00:00', '10:00:00', '12:00:00'])('is closed at %s once the room is', (time) => {
    expect(statusOf({ ...untouched, roomClosedAt: at('08:00:00') }, at(time))).toBe('closed')
  })

  // contract: States of a Session › cancelled with a cancellation mark, whatever else holds
  test.each(['09:00:00', '10:00:00', '12:00:00'])(
    'is cancelled at %s with a cancellation mark, whatever the room says',
    (time) => {
      const cancelled = { ...untouched, cancelledAt: at('08:00:00') }
      expect(statusOf(cancelled, at(time))).toBe('cancelled')
      expect(statusOf({ ...cancelled, roomClosedAt: at('08:00:00') }, at(time))).toBe('cancelled')
    },
  )
})

describe('closing a room', () => {
  // contract: States of a Session › The rule of that in all its cases
  test.each([
    ['before the slot, if nobody has ever entered', '09:59:59.999', false, true],
    ['at the start of the slot', '10:00:00', false, false],
    ['after the start of the slot', '10:00:01', false, false],
    ['before the slot, after somebody entered', '09:45:00', true, false],
  ])('%s, at %s (entries: %s) cancels the session: %s', (...[, time, hasEntries, expected]) => {
    expect(isCancelledByClose(slot, { hasEntries, now: at(time) })).toBe(expected)
  })
})
