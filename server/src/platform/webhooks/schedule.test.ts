import { describe, expect, test } from 'vitest'
import { ATTEMPTS_MAX, nextPauseSec, nextProbeSec, readRetryAfterSec } from './schedule.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

describe('the retry schedule', () => {
  // contract: Webhook envelope and signature › Twelve attempts over some days
  test('has twelve attempts with the decided pauses between them', () => {
    const pauses = Array.from({ length: ATTEMPTS_MAX }, (_, n) =>
      nextPauseSec(n + 1, { random: 0.5 }),
    )
    expect(pauses).toEqual([
      5,
      30,
      2 * MINUTE,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      14 * HOUR,
      20 * HOUR,
      24 * HOUR,
      undefined,
    ])
  })

  test('scatters every pause by a fifth to both sides', () => {
    expect(nextPauseSec(2, { random: 0 })).toBeCloseTo(24)
    expect(nextPauseSec(2, { random: 1 })).toBeCloseTo(36)
  })

  test('waits longer if the receiver asks for it, up to a day', () => {
    expect(nextPauseSec(1, { random: 0.5, retryAfterSec: 90 })).toBe(90)
    expect(nextPauseSec(1, { random: 0.5, retryAfterSec: 1 })).toBe(5)
    expect(nextPauseSec(1, { random: 0.5, retryAfterSec: 1e9 })).toBe(24 * HOUR)
  })
})

describe('the breaker', () => {
  const ofSeveral = { events: 2, isUnreachable: false }

  test('opens at the fifth failure and probes at 30 s, doubling to 15 min', () => {
    const pauses = [4, 5, 6, 7, 10, 40].map((inARow) => nextProbeSec({ ...ofSeveral, inARow }))
    expect(pauses).toEqual([undefined, 30, 60, 120, 900, 900])
  })

  test('stays closed while only one event fails, unless the receiver is unreachable', () => {
    expect(nextProbeSec({ inARow: 9, events: 1, isUnreachable: false })).toBeUndefined()
    expect(nextProbeSec({ inARow: 5, events: 1, isUnreachable: true })).toBe(30)
  })
})

describe('Retry-After', () => {
  const now = new Date('2026-11-20T10:00:00Z')

  test('is read as seconds or as a date', () => {
    expect(readRetryAfterSec('120', now)).toBe(120)
    expect(readRetryAfterSec('Fri, 20 Nov 2026 10:01:00 GMT', now)).toBe(60)
    expect(readRetryAfterSec('Fri, 20 Nov 2026 09:00:00 GMT', now)).toBe(0)
  })

  test('that cannot be read is no wish', () => {
    expect(readRetryAfterSec('soon', now)).toBeUndefined()
    expect(readRetryAfterSec(null, now)).toBeUndefined()
  })
})
