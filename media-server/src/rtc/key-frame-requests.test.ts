import { describe, expect, test } from 'vitest'
import { KeyFrameRequests } from './key-frame-requests.ts'

const HOUR_MS = 3_600_000
const PACKET_INTERVAL_MS = 50

/** The same numbers for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** How often a publisher is asked in an hour in which hidden subscribers need key frames at these times. */
function requestedInAnHour(seed: number, neededAtMs: readonly number[]): number {
  const requests = new KeyFrameRequests(randomNumbers(seed))
  let count = 0
  for (let nowMs = 0; nowMs < HOUR_MS; nowMs += PACKET_INTERVAL_MS) {
    if (neededAtMs.includes(nowMs) && requests.isNeeded(nowMs, true)) count++
    if (requests.isDue(nowMs)) count++
  }
  return count
}

describe('a publisher', () => {
  test('is asked for key frames as often with hidden subscribers as without', () => {
    const entries = Array.from({ length: 40 }, (_, at) => at * 61_000)
    for (const seed of [7, 77, 777]) {
      const alone = requestedInAnHour(seed, [])
      expect(alone).toBeGreaterThan(120)
      expect(Math.abs(requestedInAnHour(seed, entries) - alone)).toBeLessThanOrEqual(1)
    }
  })

  test('is asked immediately for what a subscriber needs, hidden or not', () => {
    const requests = new KeyFrameRequests(randomNumbers(7))
    expect(requests.isNeeded(1000, true)).toBe(true)
    expect(requests.isNeeded(2000, false)).toBe(true)
  })

  test('is asked once for what several need within 300 ms', () => {
    const requests = new KeyFrameRequests(randomNumbers(7))
    expect(requests.isNeeded(1000, false)).toBe(true)
    expect(requests.isNeeded(1299, true)).toBe(false)
    expect(requests.isNeeded(1300, false)).toBe(true)
  })
})
