import { expect, test } from 'vitest'
import { median, quantile } from './statistics.ts'

test('the median is the middle, or between the two in the middle', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([9, 1, 5, 6])).toBe(5.5)
})

test('a quantile is as far between its neighbours as its share', () => {
  const numbers = Array.from({ length: 101 }, (_, n) => n)
  expect(quantile(numbers, 0.95)).toBe(95)
  expect(quantile([0, 10], 0.95)).toBeCloseTo(9.5)
})

test('of nothing there is none', () => {
  expect(() => median([])).toThrow('nothing was measured')
})
