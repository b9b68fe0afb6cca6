import { expect, test } from 'vitest'
import { median, quantile } from './statistics.ts'

test('the median is the middle value, or the mean of the two middle ones', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([9, 1, 5, 6])).toBe(5.5)
})

test('a quantile is interpolated between its neighbours', () => {
  const numbers = Array.from({ length: 101 }, (_, n) => n)
  expect(quantile(numbers, 0.95)).toBe(95)
  expect(quantile([0, 10], 0.95)).toBeCloseTo(9.5)
})

test('an empty list has no statistics', () => {
  expect(() => median([])).toThrow('nothing was measured')
})
