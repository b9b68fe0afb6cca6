import { expect, test } from 'vitest'
import type { RTCRtpSender } from 'werift'
import { msOfNtp } from '../../lib/ntp-time.ts'
import { reportTrueTime } from './sender.ts'

test('the time of a sender report is that of the last packet', () => {
  const sender = { ntpTimestamp: 0n }
  reportTrueTime(sender as unknown as RTCRtpSender)
  const before = performance.timeOrigin + performance.now()
  sender.ntpTimestamp = 5n
  const after = performance.timeOrigin + performance.now()
  expect(msOfNtp(sender.ntpTimestamp)).toBeGreaterThan(before - 0.01)
  expect(msOfNtp(sender.ntpTimestamp)).toBeLessThan(after + 0.01)
  expect(sender.ntpTimestamp).toBe(sender.ntpTimestamp)
})
