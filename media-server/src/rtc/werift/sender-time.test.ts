import { describe, expect, test } from 'vitest'
import type { RTCRtpSender } from 'werift'
import { msOfNtp, ntpOfMs, reportTrueTime } from './sender-time.ts'

describe('the time of a sender report', () => {
  test('has seconds since 1900 and a fraction of 32 bits', () => {
    expect(ntpOfMs(0)).toBe(2_208_988_800n << 32n)
    expect(ntpOfMs(1500)).toBe((2_208_988_801n << 32n) | 0x8000_0000n)
  })

  test.each([0, 1, 999.5, 1_795_273_257_603])('of %d ms reads back as the same', (ms) => {
    expect(msOfNtp(ntpOfMs(ms))).toBeCloseTo(ms, 2)
  })

  test('is that of the last packet, not the one that the library writes', () => {
    const sender = { ntpTimestamp: 0n }
    reportTrueTime(sender as unknown as RTCRtpSender)
    const before = performance.timeOrigin + performance.now()
    sender.ntpTimestamp = 5n
    const after = performance.timeOrigin + performance.now()
    expect(msOfNtp(sender.ntpTimestamp)).toBeGreaterThan(before - 0.01)
    expect(msOfNtp(sender.ntpTimestamp)).toBeLessThan(after + 0.01)
    expect(sender.ntpTimestamp).toBe(sender.ntpTimestamp)
  })
})
