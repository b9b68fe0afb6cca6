import { expect, test } from 'vitest'
import { tickOf } from './tick.ts'

test('every reader of the clock in one step gets the same moment, and waits for the same end', () => {
  const looks = [60_000, 60_001, 60_400.5, 60_999].map((nowMs) => ({
    nowMs,
    ...tickOf(nowMs, 1000),
  }))
  for (const { nowMs, beganAtMs, endsInMs } of looks) {
    expect(beganAtMs).toBe(60_000)
    expect(nowMs + endsInMs).toBe(61_000)
  }
})

test('the end of a step is the beginning of the next one', () => {
  expect(tickOf(61_000, 1000)).toEqual({ beganAtMs: 61_000, endsInMs: 1000 })
})
