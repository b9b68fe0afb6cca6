import { describe, expect, test } from 'vitest'
import { createPace } from './pace.ts'

const BOUNDS = { first: 64, max: 256, min: 16, ownMs: 500 }

describe('the places of a process', () => {
  test('become fewer while work waits in it, and then more again, within their bounds', () => {
    const pace = createPace(BOUNDS, () => 0)
    expect(pace.places()).toBe(64)
    for (let n = 0; n < 1_000; n += 1) pace.note(800)
    expect(pace.places()).toBe(16)
    for (let n = 0; n < 1_000; n += 1) pace.note(20)
    expect(pace.places()).toBe(256)
  })

  test('become fewer while it does nothing but compute', () => {
    let utilization = 0.97
    const pace = createPace(BOUNDS, () => utilization)
    for (let n = 0; n < 1_000; n += 1) pace.note(20)
    expect(pace.places()).toBe(16)
    utilization = 0.6
    for (let n = 0; n < 1_000; n += 1) pace.note(20)
    expect(pace.places()).toBe(256)
  })

  test('become fewer if more than one piece of work in five is late', () => {
    const pace = createPace(BOUNDS, () => 0)
    for (let n = 0; n < 100; n += 1) pace.note(n % 4 === 0 ? 800 : 20)
    expect(pace.places()).toBeLessThan(64)
  })
})
