import { beforeEach, describe, expect, test } from 'vitest'
import { AwakeClock } from './awake-clock.ts'

let readMs: number
let clock: AwakeClock

beforeEach(() => {
  readMs = 5_000_000
  clock = new AwakeClock(() => readMs)
})

/** Lets the process run for so long, with a tick every half second. */
function run(ms: number): void {
  for (let ranMs = 0; ranMs < ms; ranMs += 500) {
    readMs += 500
    clock.tick()
  }
}

describe('the clock of a process', () => {
  test('counts from zero while the process runs, also between two ticks', () => {
    expect(clock.nowMs).toBe(0)
    run(10_000)
    readMs += 300
    expect([clock.nowMs, clock.wokeAtMs]).toEqual([10_300, 0])
  })

  test('counts a late tick in full', () => {
    run(10_000)
    readMs += 2000
    clock.tick()
    expect([clock.nowMs, clock.wokeAtMs]).toEqual([12_000, 0])
  })

  test('counts two seconds of a standstill, and knows when it ended', () => {
    run(10_000)
    readMs += 60_000
    expect(clock.nowMs).toBe(12_000)
    clock.tick()
    expect([clock.nowMs, clock.wokeAtMs]).toEqual([12_000, 12_000])
    run(1000)
    expect([clock.nowMs, clock.wokeAtMs]).toEqual([13_000, 12_000])
  })
})
