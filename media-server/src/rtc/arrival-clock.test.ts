import { describe, expect, test } from 'vitest'
import { ArrivalClock } from './arrival-clock.ts'

const TICKS_PER_MS = 2 ** 18 / 1000

describe('the time of arrival of a packet', () => {
  test('is when it was read, while the process runs', () => {
    const clock = new ArrivalClock()
    clock.beat(1000)
    expect(clock.arrivalOf(ticks(500), 1003)).toBe(1003)
    expect(clock.arrivalOf(ticks(501), 1024)).toBe(1024)
  })

  test('keeps the distance of the times of sending, after the process was suspended', () => {
    const clock = new ArrivalClock()
    clock.beat(1000)
    expect(clock.arrivalOf(ticks(500), 1005)).toBe(1005)
    // Found together 100 ms later, sent 10 ms apart.
    expect(clock.arrivalOf(ticks(510), 1105)).toBeCloseTo(1015, 1)
    expect(clock.arrivalOf(ticks(520), 1105)).toBeCloseTo(1025, 1)
  })

  test('is not before the process last ran, after the read, or before the earlier packet', () => {
    const clock = new ArrivalClock()
    clock.beat(1000)
    clock.arrivalOf(ticks(500), 1005)
    clock.beat(1200)
    expect(clock.arrivalOf(ticks(510), 1300)).toBe(1200)
    expect(clock.arrivalOf(ticks(800), 1301)).toBe(1301)
    expect(clock.arrivalOf(ticks(700), 1302)).toBe(1301)
  })

  test('shows a network that fills while the process runs', () => {
    const clock = new ArrivalClock()
    clock.beat(1000)
    clock.arrivalOf(ticks(500), 1000)
    clock.beat(1040)
    expect(clock.arrivalOf(ticks(510), 1045)).toBe(1045)
  })

  test('continues where the times of sending restart', () => {
    const clock = new ArrivalClock()
    clock.beat(1000)
    clock.arrivalOf(2 ** 24 - 1, 1005)
    expect(clock.arrivalOf(ticks(10) - 1, 1105)).toBeCloseTo(1015, 1)
  })
})

function ticks(ms: number): number {
  return Math.round(ms * TICKS_PER_MS) % 2 ** 24
}
