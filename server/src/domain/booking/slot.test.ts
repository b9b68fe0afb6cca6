import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../testing/refusal-of.ts'
import { refuseImpossibleSlot } from './slot.ts'

describe('a slot', () => {
  const now = new Date('2026-06-01T10:30:00Z')

  // contract: createRoom › The bounds of a slot, to the millisecond
  test.each([
    ['that ends after it starts', '2026-06-01T11:00:00Z', '2026-06-01T12:00:00Z'],
    ['that has begun already', '2026-06-01T10:00:00Z', '2026-06-01T11:00:00Z'],
    ['that ends in a millisecond', '2026-06-01T10:00:00Z', '2026-06-01T10:30:00.001Z'],
    ['of exactly 24 hours', '2026-06-02T10:00:00Z', '2026-06-03T10:00:00Z'],
  ])('%s is possible', (_name, startsAt, endsAt) => {
    const slot = { startsAt: new Date(startsAt), endsAt: new Date(endsAt) }
    expect(refusalOf(() => refuseImpossibleSlot(slot, now, 'session.'))).toBeUndefined()
  })

  test.each([
    ['ends when it starts', '11:00', '11:00', ['BEFORE_STARTS_AT']],
    ['ends before it starts', '12:00', '11:00', ['BEFORE_STARTS_AT']],
    ['ends now', '10:00', '10:30', ['IN_PAST']],
    ['has ended', '09:00', '10:00', ['IN_PAST']],
    ['is turned around and over', '10:00', '09:00', ['BEFORE_STARTS_AT', 'IN_PAST']],
  ])('that %s is refused with %s .. %s: %j', (...[, from, to, codes]) => {
    const slot = {
      startsAt: new Date(`2026-06-01T${from}:00Z`),
      endsAt: new Date(`2026-06-01T${to}:00Z`),
    }
    expect(refusalOf(() => refuseImpossibleSlot(slot, now, 'session.'))).toEqual({
      code: 'INVALID_TIME_WINDOW',
      details: codes.map((code) => ['session.ends_at', code]),
    })
  })

  // contract: Limits › Slot length: at most 24 hours
  test('longer than 24 hours is refused', () => {
    const slot = {
      startsAt: new Date('2026-06-02T10:00:00Z'),
      endsAt: new Date('2026-06-03T10:00:00.001Z'),
    }
    expect(refusalOf(() => refuseImpossibleSlot(slot, now, 'session.'))).toEqual({
      code: 'INVALID_TIME_WINDOW',
      details: [['session.ends_at', 'SLOT_TOO_LONG']],
    })
  })
})
