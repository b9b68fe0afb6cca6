import { describe, expect, test } from 'vitest'
import { MissingPackets } from './missing-packets.ts'

const ROUND_TRIP_MS = 100

describe('the missing packets of a stream', () => {
  test('are the gaps, once they are late', () => {
    const missing = received([10, 11, 14])
    expect(missing.due(5, ROUND_TRIP_MS)).toEqual([])
    expect(missing.due(10, ROUND_TRIP_MS)).toEqual([12, 13])
  })

  test('are not requested when packets merely came in another order', () => {
    const missing = received([10, 12, 11])
    expect(missing.due(20, ROUND_TRIP_MS)).toEqual([])
  })

  test('are requested again when the answer is overdue, and no longer once they came', () => {
    const missing = received([10, 13])
    expect(missing.due(10, ROUND_TRIP_MS)).toEqual([11, 12])
    expect(missing.due(120, ROUND_TRIP_MS)).toEqual([])
    missing.receive(11, 121)
    expect(missing.due(130, ROUND_TRIP_MS)).toEqual([12])
  })

  test('are given up after a second', () => {
    const missing = received([10, 12])
    expect(missing.due(1001, ROUND_TRIP_MS)).toEqual([])
    expect(missing.receive(11, 1002)).toBe(false)
  })

  test('are found when the 16-bit numbers wrap', () => {
    const missing = received([65_534, 1])
    expect(missing.due(10, ROUND_TRIP_MS)).toEqual([65_535, 0])
  })

  test('are not requested after a gap so large that a key frame is quicker', () => {
    const missing = received([10, 12, 1000])
    expect(missing.due(10, ROUND_TRIP_MS)).toEqual([])
    missing.receive(1002, 20)
    expect(missing.due(30, ROUND_TRIP_MS)).toEqual([1001])
  })

  test('are 300 at most, the newest', () => {
    const missing = received([0, 200, 400])
    const due = missing.due(10, ROUND_TRIP_MS)
    expect(due).toHaveLength(300)
    expect(due.at(-1)).toBe(399)
  })

  test('count a packet once: a duplicate is distinguished from one that was missing', () => {
    const missing = received([10, 12])
    expect([11, 11, 12, 13].map((number) => missing.receive(number, 1))).toEqual([
      true,
      false,
      false,
      true,
    ])
  })
})

function received(numbers: readonly number[]): MissingPackets {
  const missing = new MissingPackets()
  for (const number of numbers) missing.receive(number, 0)
  return missing
}
