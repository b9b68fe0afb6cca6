import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { averageOf, growthOf, growthPerSec, highestOf, type Point } from './series.ts'

const count = fc.integer({ min: 0, max: 1_000_000 })
/** A counter that is read once a second. */
const counter = fc
  .array(count, { minLength: 2, maxLength: 40 })
  .map((values) => values.map((value, index): Point => ({ atMs: index * 1000, value })))
const rising = fc
  .array(count, { minLength: 2, maxLength: 40 })
  .map((steps) => steps.reduce<number[]>((all, by) => [...all, (all.at(-1) ?? 0) + by], []))
  .map((values) => values.map((value, index): Point => ({ atMs: index * 1000, value })))

describe('the growth of a counter', () => {
  test('that only rises is its last value minus its first', () => {
    fc.assert(
      fc.property(rising, (points) => {
        const [first, last] = [points[0]?.value ?? 0, points.at(-1)?.value ?? 0]
        expect(growthOf(points)).toBe(last - first)
      }),
    )
  })

  test('is never negative', () => {
    fc.assert(
      fc.property(counter, (points) => {
        expect(growthOf(points)).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test('is the sum of before and after if it restarts from zero', () => {
    fc.assert(
      fc.property(rising, rising, (before, after) => {
        const restarted = [{ atMs: 0, value: 0 }, ...after]
        const shifted = restarted.map((each) => ({ ...each, atMs: each.atMs + 60_000 }))
        expect(growthOf([...before, ...shifted])).toBe(
          (growthOf(before) ?? 0) + (growthOf(restarted) ?? 0),
        )
      }),
    )
  })

  test.each([[[]], [[{ atMs: 0, value: 7 }]]])('of %j is unknown', (points) => {
    expect(growthOf(points)).toBeNull()
    expect(growthPerSec(points)).toBeNull()
  })

  test('per second is unknown if no time has passed', () => {
    const moment = [1, 2].map((value) => ({ atMs: 5, value }))
    expect(growthPerSec(moment)).toBeNull()
  })
})

describe('values', () => {
  test('have an average between the lowest and the highest', () => {
    fc.assert(
      fc.property(counter, (points) => {
        const values = points.map(({ value }) => value)
        expect(averageOf(points)).toBeGreaterThanOrEqual(Math.min(...values) - 1e-6)
        expect(averageOf(points)).toBeLessThanOrEqual((highestOf(points) ?? 0) + 1e-6)
        expect(highestOf(points)).toBe(Math.max(...values))
      }),
    )
  })

  test('that were never reported have no average and no maximum', () => {
    expect([averageOf([]), highestOf([])]).toEqual([null, null])
  })
})
