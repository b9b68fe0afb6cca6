import { describe, expect, test } from 'vitest'
import { parseDateTime } from './date-time.ts'

describe('a datetime', () => {
  // contract: Form of answers › Datetimes: RFC 3339 with a zone, as it is spelt there
  test.each([
    ['2026-11-21T03:22:04Z', '2026-11-21T03:22:04.000Z'],
    ['2026-11-21T12:22:04+09:00', '2026-11-21T03:22:04.000Z'],
    ['2026-11-20T22:52:04.5-04:30', '2026-11-21T03:22:04.500Z'],
    ['2026-11-21t03:22:04z', '2026-11-21T03:22:04.000Z'],
    ['2026-11-21T03:22:04.123999999Z', '2026-11-21T03:22:04.123Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['2026-01-01T00:00:00-00:00', '2026-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, expected) => {
    expect(parseDateTime(text)?.toISOString()).toBe(expected)
  })

  // contract: Form of answers › Datetimes: days, hours and zones that do not exist, and other
  //   spellings, are refused
  test.each([
    ['a day that does not exist', '2026-02-30T00:00:00Z'],
    ['a leap day of a common year', '2027-02-29T00:00:00Z'],
    ['a leap day of a common century', '2100-02-29T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['year 0', '0000-01-01T00:00:00Z'],
    ['year 0 in UTC', '0001-01-01T00:00:00+00:01'],
    ['year 10000 in UTC', '9999-12-31T23:59:59-00:01'],
    ['24:00', '2026-01-01T24:00:00Z'],
    ['a leap second', '2026-06-30T23:59:60Z'],
    ['no zone', '2026-01-01T00:00:00'],
    ['a zone without minutes', '2026-01-01T00:00:00+09'],
    ['a zone that does not exist', '2026-01-01T00:00:00+24:00'],
    ['a space in the middle', '2026-01-01 00:00:00Z'],
    ['only a day', '2026-01-01'],
    ['a number', '1'],
    ['a word of the database', 'infinity'],
    ['no seconds', '2026-01-01T00:00Z'],
    ['an empty fraction', '2026-01-01T00:00:00.Z'],
    ['something behind it', '2026-01-01T00:00:00Z\n'],
    ['other digits', '２026-01-01T00:00:00Z'],
  ])('with %s is refused', (_name, text) => {
    expect(parseDateTime(text)).toBeUndefined()
  })
})
