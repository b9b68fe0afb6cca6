import { describe, expect, test } from 'vitest'
import { LossWatch } from './loss-watch.ts'

describe('a lost packet', () => {
  test('is reported once, when no retransmission came in time', () => {
    const watch = new LossWatch()
    expect(watch.observe(65_534, 0)).toBe(false)
    expect(watch.observe(1, 10)).toBe(false)
    expect(watch.observe(2, 300)).toBe(false)
    expect(watch.observe(3, 500)).toBe(true)
    expect(watch.observe(4, 510)).toBe(false)
  })

  test('is not reported if it comes late after all', () => {
    const watch = new LossWatch()
    watch.observe(10, 0)
    watch.observe(12, 10)
    watch.observe(11, 200)
    expect(watch.observe(13, 1000)).toBe(false)
  })
})
