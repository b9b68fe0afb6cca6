import { expect, test } from 'vitest'
import { nearestTo, ticksOf } from './ticks.ts'

test.each([
  [0, 1, 1],
  [8, 1, 9],
  [95, 1, 7],
  [7200, 1, 9],
  [7200, 20, 121],
])('a ruler of %d s at %d× has %d times', (durationSec, zoom, count) => {
  expect(ticksOf(durationSec, zoom)).toHaveLength(count)
})

test('the nearest event of another lane is the next one by the keys', () => {
  const items = [3, 10, 40].map((startSec) => ({ startSec }))
  expect(nearestTo(items, 12)).toEqual({ startSec: 10 })
  expect(nearestTo(items, 30)).toEqual({ startSec: 40 })
  expect(nearestTo([], 30)).toBeUndefined()
})
