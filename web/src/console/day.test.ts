import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayOf, periodOfDay } from './day.ts'

const zone = process.env.TZ

beforeAll(() => {
  process.env.TZ = 'Europe/Berlin'
})
afterAll(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

describe('a day of the console', () => {
  test('is a day of local time', () => {
    expect(dayOf(new Date('2030-01-05T23:30:00Z'))).toBe('2030-01-06')
  })

  test.each([
    ['2030-01-06', '2030-01-05T23:00:00.000Z', '2030-01-06T23:00:00.000Z'],
    ['2030-03-31', '2030-03-30T23:00:00.000Z', '2030-03-31T22:00:00.000Z'],
    ['2030-10-27', '2030-10-26T22:00:00.000Z', '2030-10-27T23:00:00.000Z'],
    ['2030-12-31', '2030-12-30T23:00:00.000Z', '2030-12-31T23:00:00.000Z'],
  ])('%s begins at %s and ends at %s', (day, from, to) => {
    expect(periodOfDay(day)).toEqual({ from, to })
  })
})
