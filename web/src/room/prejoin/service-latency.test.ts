import { expect, test } from 'vitest'
import { judgeLatency } from './service-latency.ts'

test.each([
  [[20, 30, 25, 40], 'good'],
  // One slow answer among quick ones does not matter.
  [[20, 900, 25, 40], 'good'],
  [[320, 310, 400, 20], 'slow'],
  [[20, undefined, 25, 40], 'slow'],
  [[undefined, undefined], 'failed'],
  [[], 'failed'],
] as const)('round trips of %j ms are %s', (roundTripsMs, line) => {
  expect(judgeLatency(roundTripsMs)).toBe(line)
})
