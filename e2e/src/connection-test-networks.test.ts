import type { ConnectionTestBody } from '@interview-room/contract/connection-tests.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { FULL_CAMERA } from './harness/browser.ts'
import { injectFaults } from './harness/faults.ts'
import { takeTest } from './harness/subject.ts'
import { useTestEnvironment } from './harness/test-environment.ts'

const MIDDLE = { kbps: 1000, lossRatio: 0.02, delayMs: 90 }
/** From the best to the poorest network. The delay is one-way. */
const LEVELS = IS_FULL_RUN
  ? [
      { kbps: 2500, lossRatio: 0, delayMs: 60 },
      MIDDLE,
      { kbps: 400, lossRatio: 0.05, delayMs: 120 },
    ]
  : [MIDDLE]
const LOSS_TOLERANCE_RATIO = 0.02
const RTT_TOLERANCE = 0.2
const BANDWIDTH_TOLERANCE = 0.25

const measured: ConnectionTestBody[] = []
const env = useTestEnvironment({ browserFlags: [FULL_CAMERA] })

beforeAll(async () => {
  for (const connection of LEVELS) {
    await injectFaults(env.service, { line: connection })
    measured.push(await takeTest(env))
  }
})

/** How many pictures and how large, as one number; the least for none. */
function framesOf({ summary }: ConnectionTestBody): number {
  const { recommended_resolution: size, recommended_frame_rate: rate } = summary?.video ?? {}
  const [width = 0, height = 0] = (size ?? '').split('x').map(Number)
  return width * height * (rate ?? 0)
}

/** A busy machine can make a connection worse than it was set, never better. */
function expectNotBelow(value: number | null | undefined, set: number, tolerance: number): void {
  expect(value).toBeGreaterThanOrEqual(set * (1 - tolerance))
}

function expectNotAbove(value: number | null | undefined, set: number, tolerance: number): void {
  expect(value).toBeLessThanOrEqual(set * (1 + tolerance))
}

describe.each(LEVELS.map((connection, level) => ({ ...connection, level })))(
  'a network of $kbps kbps that loses $lossRatio and delays by $delayMs ms',
  ({ kbps, lossRatio, delayMs, level }) => {
    const found = () => measured[level] as ConnectionTestBody

    test('is measured to the end', () => {
      expect(found()).toMatchObject({ status: 'completed', failure_reason: null })
    })

    test('has the reported packet loss, within 2 points', () => {
      const reported = found().summary?.packet_loss_ratio ?? Number.NaN
      expect(Math.abs(reported - lossRatio)).toBeLessThanOrEqual(LOSS_TOLERANCE_RATIO)
    })

    test('has the reported round trip, within a fifth', () => {
      for (const rttMs of [found().baseline?.rtt_ms.avg, found().summary?.rtt_ms]) {
        expectNotBelow(rttMs, 2 * delayMs, RTT_TOLERANCE)
        if (IS_FULL_RUN) expectNotAbove(rttMs, 2 * delayMs, RTT_TOLERANCE)
      }
    })

    test('has the reported rates in both directions, within a quarter', () => {
      const { uplink_kbps: up, downlink_kbps: down } = found().summary ?? {}
      for (const foundKbps of [up, down]) {
        expectNotAbove(foundKbps, kbps, BANDWIDTH_TOLERANCE)
        if (IS_FULL_RUN) expectNotBelow(foundKbps, kbps, BANDWIDTH_TOLERANCE)
      }
    })
  },
)

describe.runIf(IS_FULL_RUN)('a poorer network', () => {
  test('gets a lower recommended video', () => {
    const pictures = measured.map(framesOf)
    expect(pictures).toEqual(pictures.toSorted((a, b) => b - a))
    expect(new Set(pictures).size).toBe(LEVELS.length)
  })

  test('gets a lower voice rating', () => {
    const scores = measured.map(({ summary }) => summary?.audio.mos ?? 0)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })

  test('gets a warning about high packet loss', () => {
    const warned = measured.map(({ summary }) => summary?.warnings.includes('high_loss'))
    expect([warned[0], warned.at(-1)]).toEqual([false, true])
  })
})
