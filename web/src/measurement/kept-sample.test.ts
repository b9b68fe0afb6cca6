import {
  CONNECTION_TEST_SAMPLE_MEMBERS_MAX,
  CONNECTION_TEST_SAMPLES_MAX,
} from '@interview-room/contract/limits.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { keptSampleOf, thinned } from './kept-sample.ts'
import { type SampleConnection, samplesOf } from './testing/sample-connection.ts'

const CONNECTION: SampleConnection = {
  lengthSec: 30,
  kbps: 500,
  packetsPerSec: 60,
  upLossRatio: 0,
  downLossRatio: 0,
  rttMs: 80,
  framesPerSec: 15,
}

test('a stored sample is flat, contains numbers only, and fits into the report', () => {
  const [, sample] = samplesOf(CONNECTION)
  const kept = sample === undefined ? {} : keptSampleOf(sample)
  expect(Object.keys(kept).length).toBeLessThanOrEqual(CONNECTION_TEST_SAMPLE_MEMBERS_MAX)
  expect(Object.values(kept).every(Number.isFinite)).toBe(true)
  expect(kept).toMatchObject({
    atMs: 1500,
    upAudioRttMs: 80,
    downVideoFrames: 7.5,
    upPathRttMs: 80,
  })
})

test('too many samples are thinned to the limit of a report, from the first to the last one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), (lengthSec) => {
      const samples = samplesOf({ ...CONNECTION, lengthSec })
      const kept = thinned(samples, CONNECTION_TEST_SAMPLES_MAX)
      expect(kept).toHaveLength(Math.min(samples.length, CONNECTION_TEST_SAMPLES_MAX))
      expect(new Set(kept).size).toBe(kept.length)
      expect([kept[0], kept.at(-1)]).toEqual([samples[0], samples.at(-1)])
    }),
  )
})
