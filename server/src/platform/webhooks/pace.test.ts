import { describe, expect, test } from 'vitest'
import { createPace } from './pace.ts'

describe('the places for attempts under way', () => {
  test('become fewer while attempts wait in the process, down to sixteen, and then more again', () => {
    const pace = createPace(() => 0)
    expect(pace.places()).toEqual({ all: 64, slow: 16 })
    for (let n = 0; n < 1_000; n += 1) pace.note(800)
    expect(pace.places()).toEqual({ all: 16, slow: 4 })
    for (let n = 0; n < 1_000; n += 1) pace.note(20)
    expect(pace.places()).toEqual({ all: 256, slow: 64 })
  })

  test('become fewer while the process does nothing but compute', () => {
    let utilization = 0.97
    const pace = createPace(() => utilization)
    for (let n = 0; n < 1_000; n += 1) pace.note(20)
    expect(pace.places().all).toBe(16)
    utilization = 0.6
    for (let n = 0; n < 1_000; n += 1) pace.note(20)
    expect(pace.places().all).toBe(256)
  })

  test('become fewer if more than one attempt in five is late', () => {
    const pace = createPace(() => 0)
    for (let n = 0; n < 100; n += 1) pace.note(n % 4 === 0 ? 800 : 20)
    expect(pace.places().all).toBeLessThan(64)
  })
})
