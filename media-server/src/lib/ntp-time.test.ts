import { describe, expect, test } from 'vitest'
import { msOfNtp, ntpOfMs } from './ntp-time.ts'

describe('a time of NTP', () => {
  test('has seconds since 1900 and a fraction of 32 bits', () => {
    expect(ntpOfMs(0)).toBe(2_208_988_800n << 32n)
    expect(ntpOfMs(1500)).toBe((2_208_988_801n << 32n) | 0x8000_0000n)
  })

  test.each([0, 1, 999.5, 1_795_273_257_603])('of %d ms reads back as the same', (ms) => {
    expect(msOfNtp(ntpOfMs(ms))).toBeCloseTo(ms, 2)
  })
})
