import { describe, expect, test } from 'vitest'
import { warningAt } from './window-end.ts'

const minutes = (count: number) => count * 60_000

describe('the end of the window', () => {
  test.each([
    [11, null],
    [10, 10],
    [9.1, 10],
    [9, null],
    [5.5, null],
    [5, 5],
    [4.1, 5],
    [4, null],
    [1, 1],
    [0.1, 1],
    [0, 0],
    [-1, 0],
  ])('with %d minutes left shows the reminder of %s', (left, shown) => {
    expect(warningAt(minutes(left))).toBe(shown)
  })
})
