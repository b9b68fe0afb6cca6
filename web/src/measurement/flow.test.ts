import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capacityKbpsOf, PACKET_OVERHEAD_BYTES } from './capacity.ts'
import { flowsOf } from './flow.ts'
import type { Sample, StreamCounters } from './sample.ts'
import { type SampleConnection, NOTHING_COUNTED, samplesOf } from './testing/sample-connection.ts'

const anyConnection: fc.Arbitrary<SampleConnection> = fc.record({
  lengthSec: fc.integer({ min: 3, max: 30 }),
  kbps: fc.integer({ min: 20, max: 5000 }),
  packetsPerSec: fc.integer({ min: 10, max: 500 }),
  upLossRatio: fc.double({ min: 0, max: 0.5, noNaN: true }),
  downLossRatio: fc.double({ min: 0, max: 0.5, noNaN: true }),
  rttMs: fc.integer({ min: 1, max: 1000 }),
  framesPerSec: fc.integer({ min: 1, max: 30 }),
})

const counter = fc.option(fc.integer({ min: 0, max: 1e9 }), { nil: null })
const anyCounters: fc.Arbitrary<StreamCounters | null> = fc.option(
  fc.record(
    Object.fromEntries(Object.keys(NOTHING_COUNTED).map((name) => [name, counter])) as Record<
      keyof StreamCounters,
      typeof counter
    >,
  ),
  { nil: null },
)
/** Samples with arbitrary values, also impossible ones, in any order. */
const anySamples: fc.Arbitrary<Sample[]> = fc.array(
  fc.record({
    atMs: fc.integer({ min: 0, max: 60_000 }),
    upAudio: anyCounters,
    upVideo: anyCounters,
    downAudio: anyCounters,
    downVideo: anyCounters,
    upFilling: anyCounters,
    downFilling: anyCounters,
    upPath: fc.constant(null),
    downPath: fc.constant(null),
  }),
  { maxLength: 40 },
)

describe('a constant connection', () => {
  test('is measured correctly', () => {
    fc.assert(
      fc.property(anyConnection, (line) => {
        const { uplink, downlink } = flowsOf(samplesOf(line))
        expect(uplink.video?.bitrate_kbps).toBeCloseTo(line.kbps, 0)
        expect(uplink.video?.packet_loss_ratio).toBeCloseTo(line.upLossRatio, 3)
        expect(downlink.video?.packet_loss_ratio).toBeCloseTo(line.downLossRatio, 3)
        expect(uplink.audio?.rtt_ms).toBeCloseTo(line.rttMs, 1)
        expect(downlink.audio?.rtt_ms).toBeCloseTo(line.rttMs, 1)
        expect(downlink.video?.frame_rate).toBeCloseTo(line.framesPerSec, 1)
        expect(downlink.video?.freeze_count).toBe(line.lengthSec)
        expect(uplink.video?.limited_by_bandwidth_sec).toBeCloseTo(line.lengthSec / 2, 1)
        expect(uplink.audio?.frame_rate).toBeNull()
      }),
    )
  })

  test('is measured the same for samples in any order, with duplicates', () => {
    fc.assert(
      fc.property(anyConnection, fc.infiniteStream(fc.double({ noNaN: true })), (line, dice) => {
        const samples = samplesOf(line)
        const mixed = [...samples, ...samples]
          .map((sample) => ({ sample, at: dice.next().value }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ sample }) => sample)
        expect(flowsOf(mixed)).toEqual(flowsOf(samples))
        expect(capacityKbpsOf(mixed)).toEqual(capacityKbpsOf(samples))
      }),
    )
  })

  test('carries the received media, including packet headers', () => {
    fc.assert(
      fc.property(anyConnection, (line) => {
        const overheadKbps = (line.packetsPerSec * PACKET_OVERHEAD_BYTES * 8) / 1000
        const arrivedRatio = (1 - line.upLossRatio) * (1 - line.downLossRatio)
        const carriedKbps = 2 * (line.kbps + overheadKbps) * arrivedRatio
        expect(capacityKbpsOf(samplesOf(line))).toBeGreaterThan(carriedKbps - 1)
        expect(capacityKbpsOf(samplesOf(line))).toBeLessThan(carriedKbps + 1)
      }),
    )
  })

  test('is measured the same if some readings are missing', () => {
    fc.assert(
      fc.property(anyConnection, fc.integer({ min: 1, max: 5 }), (line, gone) => {
        const samples = samplesOf(line)
        const holed = samples.map((sample, index) =>
          index === gone ? { ...sample, upVideo: null, downVideo: null } : sample,
        )
        const [whole, less] = [flowsOf(samples), flowsOf(holed)]
        expect(less.uplink.video?.bitrate_kbps).toBe(whole.uplink.video?.bitrate_kbps)
        expect(less.downlink.video?.packet_loss_ratio).toBe(whole.downlink.video?.packet_loss_ratio)
      }),
    )
  })
})

describe('for any report of the browser', () => {
  test('every figure is null or within its bounds', () => {
    fc.assert(
      fc.property(anySamples, (samples) => {
        const { uplink, downlink } = flowsOf(samples)
        for (const flow of [uplink.audio, uplink.video, downlink.audio, downlink.video]) {
          if (flow === null) continue
          for (const figure of Object.values(flow)) {
            expect(figure === null || (Number.isFinite(figure) && figure >= 0)).toBe(true)
          }
          expect(flow.packet_loss_ratio ?? 0).toBeLessThanOrEqual(1)
        }
        expect(capacityKbpsOf(samples) ?? 0).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test('a stream that was never counted is null', () => {
    const samples = samplesOf({ ...CONNECTION, lengthSec: 5 }).map((each) => ({
      ...each,
      upVideo: null,
    }))
    expect(flowsOf(samples).uplink.video).toBeNull()
    expect(flowsOf([]).downlink).toEqual({ audio: null, video: null })
    expect(capacityKbpsOf([])).toBeNull()
  })

  test('the round-trip time comes from current checks, and not from earlier ones', () => {
    const samples = samplesOf(CONNECTION).map((each, index) => {
      const checks = Math.floor(index / 5)
      const path = { rttMs: 400, rttSumMs: 4000 + 80 * checks, rttCount: 10 + checks }
      const unknown = { protocol: null, candidateType: null, availableOutgoingKbps: null }
      return { ...each, upPath: { ...path, ...unknown }, downPath: null }
    })
    const { uplink, downlink } = flowsOf(samples)
    expect(uplink.audio?.rtt_ms).toBe(80)
    expect(downlink.audio?.rtt_ms).toBeNull()
  })

  test('a stream without reports takes the loss of the other stream in its direction', () => {
    const samples = samplesOf(CONNECTION).map((each) => ({
      ...each,
      upVideo: { ...NOTHING_COUNTED, bytes: each.upVideo?.bytes ?? 0, packets: 1 },
    }))
    const { uplink, downlink } = flowsOf(samples)
    expect(uplink.video).toMatchObject({ packet_loss_ratio: CONNECTION.upLossRatio, jitter_ms: 3 })
    expect(downlink.video?.packet_loss_ratio).not.toBe(CONNECTION.upLossRatio)
  })

  test('a counter that restarts adds nothing for the time in between', () => {
    const first = samplesOf(CONNECTION)
    const second = samplesOf(CONNECTION).map((each) => ({ ...each, atMs: each.atMs + 10_500 }))
    const { uplink } = flowsOf([...first, ...second])
    expect(uplink.video?.packet_loss_ratio).toBeCloseTo(CONNECTION.upLossRatio, 3)
    expect(uplink.video?.bitrate_kbps).toBeGreaterThan(CONNECTION.kbps * 0.97)
    expect(uplink.video?.bitrate_kbps).toBeLessThanOrEqual(CONNECTION.kbps)
  })
})

const CONNECTION: SampleConnection = {
  lengthSec: 10,
  kbps: 500,
  packetsPerSec: 60,
  upLossRatio: 0.05,
  downLossRatio: 0.02,
  rttMs: 80,
  framesPerSec: 15,
}
