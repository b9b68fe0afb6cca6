import type { BaselineFacts, ReportedLoad } from '@interview-room/contract/connection-tests.ts'
import { CONNECTION_TEST } from '@interview-room/contract/operations/samples.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mosOf } from './mos.ts'
import { type Measurement, summarise } from './summary.ts'

type Flow = NonNullable<ReportedLoad['uplink']['audio']>

function flow(values: Partial<Flow> = {}): Flow {
  return {
    bitrate_kbps: 30,
    packet_loss_ratio: 0,
    rtt_ms: 20,
    jitter_ms: 2,
    frame_rate: null,
    width: null,
    height: null,
    freeze_count: null,
    limited_by_cpu_sec: null,
    limited_by_bandwidth_sec: null,
    ...values,
  }
}

const VIDEO = flow({ bitrate_kbps: 800, frame_rate: 30, width: 640, height: 480 })

const BASELINE: BaselineFacts = {
  signaling: { connected: true, connect_ms: 80 },
  media: { connected: true, connect_ms: 200, protocol: 'udp', candidate_type: 'host' },
  rtt_ms: { avg: 18, max: 40 },
  jitter_ms: { avg: 3, max: 9 },
}

function load(values: Partial<ReportedLoad> = {}): ReportedLoad {
  return {
    uplink: { audio: flow(), video: VIDEO },
    downlink: { audio: flow(), video: VIDEO },
    available_outgoing_kbps: 2500,
    ...values,
  }
}

const summaryOf = (values: Partial<Measurement> = {}) =>
  summarise({
    baseline: BASELINE,
    load: load(),
    measuredSec: 20,
    incomingCapacityKbps: null,
    ...values,
  })

const withUplink = (video: Flow, kbps: number | null = 2500) =>
  load({ uplink: { audio: flow(), video }, available_outgoing_kbps: kbps })

const withMedia = (media: Partial<BaselineFacts['media']>): BaselineFacts => ({
  ...BASELINE,
  media: { ...BASELINE.media, ...media },
})

describe('the summary of a connection test', () => {
  // contract: Fields of a ConnectionTest › `summary`: `packet_loss_ratio`, `rtt_ms`, `jitter_ms`,
  //   `uplink_kbps`, `downlink_kbps`
  test('describes a good connection in a few numbers', () => {
    expect(summaryOf()).toEqual({
      audio: { mos: 4.4 },
      video: { recommended_resolution: '1280x720', recommended_frame_rate: 30, limitation: null },
      packet_loss_ratio: 0,
      rtt_ms: 20,
      jitter_ms: 2,
      uplink_kbps: 2500,
      downlink_kbps: 830,
      warnings: [],
    })
  })

  test('takes loss from the worse direction, round trip and jitter from the worst flow', () => {
    const bad = flow({ packet_loss_ratio: 0.02, rtt_ms: 120, jitter_ms: 15 })
    const { packet_loss_ratio, rtt_ms, jitter_ms } = summaryOf({
      load: load({ downlink: { audio: bad, video: { ...VIDEO, packet_loss_ratio: 0.01 } } }),
    })
    expect([packet_loss_ratio, rtt_ms, jitter_ms]).toEqual([0.015, 120, 15])
  })

  test('falls back on the baseline, and on null where nothing was measured', () => {
    const nothing = { audio: null, video: null }
    expect(
      summaryOf({
        load: { uplink: nothing, downlink: nothing, available_outgoing_kbps: null },
      }),
    ).toEqual({
      audio: { mos: null },
      video: { recommended_resolution: null, recommended_frame_rate: null, limitation: null },
      packet_loss_ratio: null,
      rtt_ms: 18,
      jitter_ms: 3,
      uplink_kbps: null,
      downlink_kbps: null,
      warnings: [],
    })
  })

  test('rates the uplink at least as high as the rate sent over it', () => {
    expect(summaryOf({ load: withUplink(VIDEO, 300) }).uplink_kbps).toBe(830)
    expect(summaryOf({ load: withUplink(VIDEO, null) }).uplink_kbps).toBe(830)
  })
})

describe('the downlink', () => {
  // contract: reportConnectionTestResult › `incoming_capacity_kbps` raises `downlink_kbps`
  test.each([
    [null, 830],
    [2400, 2400],
    [500, 830],
  ])('that received %s kbps while it was filled carries %i', (incomingCapacityKbps, carried) => {
    expect(summaryOf({ incomingCapacityKbps }).downlink_kbps).toBe(carried)
  })
})

const ratio = fc.double({ min: 0, max: 1, noNaN: true })
const ms = fc.double({ min: 0, max: 5000, noNaN: true })
const kbps = fc.double({ min: 0, max: 20_000, noNaN: true })
const heard = fc.record({ packet_loss_ratio: ratio, rtt_ms: ms, jitter_ms: ms })
const lossy = ratio.map((lossRatio) => flow({ packet_loss_ratio: lossRatio }))
const pair = fc.record({ audio: lossy, video: lossy })

const scoreOf = (values: Partial<Flow>) =>
  mosOf([flow(values)], { rtt_ms: null, jitter_ms: null }) ?? 0

function pixelsPerSec(line: number): number {
  const { video } = summaryOf({ load: withUplink(flow({ bitrate_kbps: 0 }), line) })
  const [width = 0, height = 0] = (video.recommended_resolution ?? '0x0').split('x').map(Number)
  return width * height * (video.recommended_frame_rate ?? 0)
}

describe('for every connection', () => {
  test('the opinion score is between 1 and 4.5, and more loss or delay never raises it', () => {
    fc.assert(
      fc.property(heard, heard, (one, other) => {
        const score = scoreOf(one)
        expect(score).toBeGreaterThanOrEqual(1)
        expect(score).toBeLessThanOrEqual(4.5)
        for (const name of ['packet_loss_ratio', 'rtt_ms', 'jitter_ms'] as const) {
          const worse = { ...one, [name]: Math.max(one[name], other[name]) }
          expect(scoreOf(worse)).toBeLessThanOrEqual(score)
        }
      }),
    )
  })

  test('more capacity never recommends a smaller picture', () => {
    fc.assert(
      fc.property(kbps, kbps, (one, other) => {
        expect(pixelsPerSec(Math.max(one, other))).toBeGreaterThanOrEqual(pixelsPerSec(one))
      }),
    )
  })

  test('loss stays between those of its flows', () => {
    fc.assert(
      fc.property(pair, pair, (uplink, downlink) => {
        const { packet_loss_ratio: loss } = summaryOf({ load: load({ uplink, downlink }) })
        const ratios = [uplink, downlink].flatMap(({ audio, video }) => [
          audio.packet_loss_ratio ?? 0,
          video.packet_loss_ratio ?? 0,
        ])
        expect(loss).toBeGreaterThanOrEqual(Math.min(...ratios))
        expect(loss).toBeLessThanOrEqual(Math.max(...ratios))
      }),
    )
  })
})

describe('the recommended picture', () => {
  const quiet = flow({ bitrate_kbps: 0 })
  // contract: Fields of a ConnectionTest › `summary.video`: `recommended_resolution`,
  //   `recommended_frame_rate`
  test.each([
    [5000, '1280x720', 30],
    [2000, '1280x720', 30],
    [1999, '1280x720', 15],
    [900, '640x480', 30],
    [600, '640x480', 15],
    [250, '320x240', 15],
    [150, '320x240', 7],
    [80, '320x240', 1],
    [79, null, null],
  ])('over an uplink of %i kbps is %s at %s', (kbps, resolution, frameRate) => {
    const { video } = summarise({
      baseline: BASELINE,
      load: {
        uplink: { audio: null, video: quiet },
        downlink: { audio: null, video: null },
        available_outgoing_kbps: kbps,
      },
      measuredSec: 20,
      incomingCapacityKbps: null,
    })
    expect([video.recommended_resolution, video.recommended_frame_rate]).toEqual([
      resolution,
      frameRate,
    ])
  })

  // contract: Fields of a ConnectionTest › `summary.video`: `limitation`
  test.each([
    ['not at all', {}, null],
    ['for a hiccup', { limited_by_cpu_sec: 1.9 }, null],
    ['by the processor', { limited_by_cpu_sec: 2 }, 'cpu'],
    ['by the connection', { limited_by_cpu_sec: 3, limited_by_bandwidth_sec: 9 }, 'bandwidth'],
  ])('was limited %s', (_what, values, limitation) => {
    expect(summaryOf({ load: withUplink({ ...VIDEO, ...values }) }).video.limitation).toBe(
      limitation,
    )
  })

  test('does not exceed the picture that a limited processor achieved', () => {
    const slow = { ...VIDEO, limited_by_cpu_sec: 15, height: 480, width: 640, frame_rate: 16 }
    expect(summaryOf({ load: withUplink(slow) }).video).toEqual({
      recommended_resolution: '640x480',
      recommended_frame_rate: 15,
      limitation: 'cpu',
    })
  })
})

describe('a warning', () => {
  // contract: Fields of a ConnectionTest › `summary.warnings`: `warnings` each under its condition
  test.each([
    ['relay_only', { baseline: withMedia({ candidate_type: 'relay' }) }],
    ['tcp_only', { baseline: withMedia({ protocol: 'tcp' }) }],
    ['tcp_only', { baseline: withMedia({ protocol: 'tls' }) }],
    ['high_loss', { load: withUplink({ ...VIDEO, packet_loss_ratio: 0.061 }) }],
    ['high_rtt', { load: withUplink({ ...VIDEO, rtt_ms: 301 }) }],
    ['high_jitter', { load: withUplink({ ...VIDEO, jitter_ms: 51 }) }],
    ['low_uplink', { load: withUplink(flow({ bitrate_kbps: 100 }), 150) }],
    ['cpu_limited', { load: withUplink({ ...VIDEO, limited_by_cpu_sec: 10 }) }],
  ])('%s is given only under its condition', (warning, values) => {
    expect(summaryOf(values).warnings).toEqual([warning])
  })
})

describe('the mean opinion score of the voice', () => {
  const line = { rtt_ms: null, jitter_ms: null }
  // contract: Fields of a ConnectionTest › `summary.audio`: `mos`
  test.each([
    [{ packet_loss_ratio: 0, rtt_ms: 0, jitter_ms: 0 }, 4.4],
    [{ packet_loss_ratio: 0.05, rtt_ms: 50, jitter_ms: 5 }, 3.88],
    [{ packet_loss_ratio: 0, rtt_ms: 600, jitter_ms: 10 }, 3.53],
    [{ packet_loss_ratio: 1, rtt_ms: 5000, jitter_ms: 500 }, 1],
  ])('with %j is %f', (values, mos) => {
    expect(mosOf([flow(values)], line)).toBe(mos)
  })

  test('comes from the worse direction, and is null without a voice', () => {
    const [good, bad] = [flow(), flow({ packet_loss_ratio: 0.2 })]
    expect(mosOf([good, bad], line)).toBe(mosOf([bad], line))
    expect(mosOf([], line)).toBeNull()
  })
})

test('the sample of the API description has the summary of its own measurements', () => {
  const { baseline, load: measured, measured_sec: measuredSec, summary } = CONNECTION_TEST
  const { downlink_kbps: incomingCapacityKbps } = summary!
  const measurement = { baseline, load: measured, measuredSec, incomingCapacityKbps }
  expect(summarise(measurement as Measurement)).toEqual(summary)
})
