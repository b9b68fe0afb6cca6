import { expect, test } from 'vitest'
import { baselineOf, brokenBaseline } from './baseline.ts'
import { samplesOf } from './testing/sample-connection.ts'

const QUIET = samplesOf({
  lengthSec: 3,
  kbps: 40,
  packetsPerSec: 50,
  upLossRatio: 0,
  downLossRatio: 0,
  rttMs: 62,
  framesPerSec: 0,
})

test('the baseline is the connection before any load', () => {
  expect(baselineOf(QUIET, { signalingMs: 81.4, mediaMs: 300 })).toEqual({
    signaling: { connected: true, connect_ms: 81 },
    media: { connected: true, connect_ms: 300, protocol: 'udp', candidate_type: 'host' },
    rtt_ms: { avg: 62, max: 62 },
    jitter_ms: { avg: 3.5, max: 4 },
  })
})

test('a path that was reported once is kept if the last readings lack it', () => {
  const samples = QUIET.map((sample, index) => (index < 2 ? sample : { ...sample, upPath: null }))
  expect(baselineOf(samples, { signalingMs: 1, mediaMs: 1 }).media.protocol).toBe('udp')
})

test.each([
  [null, { connected: false, connect_ms: null }],
  [120, { connected: true, connect_ms: 120 }],
])('without media, with signalling after %s ms, reports both', (signalingMs, signaling) => {
  expect(brokenBaseline(signalingMs)).toMatchObject({ signaling, media: { connected: false } })
})
