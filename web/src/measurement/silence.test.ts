import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Sample } from './sample.ts'
import { countedSecOf, silentMsOf } from './silence.ts'
import { NOTHING_COUNTED } from './testing/sample-connection.ts'

/** One sample each second, with the packets of the voice received until then. */
function heard(packets: readonly (number | null)[], everyMs = 1000): Sample[] {
  return packets.map((count, index) => ({
    atMs: index * everyMs,
    upAudio: null,
    upVideo: null,
    downAudio: count === null ? null : { ...NOTHING_COUNTED, packets: count },
    downVideo: null,
    upFilling: null,
    downFilling: null,
    upPath: null,
    downPath: null,
  }))
}

describe('the silence of a connection', () => {
  test.each([
    [[], 0],
    [[5], 0],
    [[5, 55, 105], 0],
    [[5, 55, 55, 55], 2000],
    [[0, 0, 0], 2000],
    [[5, 55, null, null], 2000],
    [[5, 55, 55, 7], 0],
  ])('after the packets %j lasts %d ms', (packets, silentMs) => {
    expect(silentMsOf(heard(packets))).toBe(silentMs)
  })

  test('and the counted time are together never longer than the total', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(50))), (packets) => {
        const samples = heard(packets)
        const wholeMs = samples.at(-1)?.atMs ?? 0
        expect(silentMsOf(samples) + countedSecOf(samples) * 1000).toBeLessThanOrEqual(wholeMs)
      }),
    )
  })
})

describe('the counted time', () => {
  test('is the time in which media arrived', () => {
    expect(countedSecOf(heard([0, 50, 100, 100, 100, 150]))).toBe(3)
  })

  test('excludes the time in which the machine slept', () => {
    expect(countedSecOf(heard([0, 50, 100], 60_000))).toBe(0)
  })
})
