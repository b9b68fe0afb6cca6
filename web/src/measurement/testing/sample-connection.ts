import type { PathReading, Sample, StreamCounters } from '../sample.ts'

export const NOTHING_COUNTED: StreamCounters = {
  bytes: null,
  packets: null,
  packetsLost: null,
  rttMs: null,
  jitterMs: null,
  frames: null,
  widthPx: null,
  heightPx: null,
  freezeCount: null,
  limitedByCpuSec: null,
  limitedByBandwidthSec: null,
}

const PATH: PathReading = {
  rttMs: 40,
  rttSumMs: null,
  rttCount: null,
  availableOutgoingKbps: 1000,
  protocol: 'udp',
  candidateType: 'host',
}

export interface SampleConnection {
  lengthSec: number
  kbps: number
  packetsPerSec: number
  upLossRatio: number
  downLossRatio: number
  rttMs: number
  framesPerSec: number
}

/** The counters of a constant connection, read twice a second. */
export function samplesOf(line: SampleConnection): Sample[] {
  return Array.from({ length: line.lengthSec * 2 + 1 }, (_, index) => sampleAt(line, index / 2))
}

function sampleAt(line: SampleConnection, sec: number): Sample {
  const packets = line.packetsPerSec * sec
  const bytes = (line.kbps * 1000 * sec) / 8
  const arrivedRatio = (1 - line.upLossRatio) * (1 - line.downLossRatio)
  const up: StreamCounters = {
    ...NOTHING_COUNTED,
    bytes,
    packets,
    packetsLost: packets * line.upLossRatio,
    rttMs: line.rttMs,
    jitterMs: 3,
    frames: line.framesPerSec * sec,
    widthPx: 640,
    heightPx: 480,
    limitedByCpuSec: 0,
    limitedByBandwidthSec: sec / 2,
  }
  const down: StreamCounters = {
    ...NOTHING_COUNTED,
    bytes: bytes * arrivedRatio,
    packets: packets * arrivedRatio,
    packetsLost: packets * (1 - arrivedRatio),
    jitterMs: 4,
    frames: line.framesPerSec * sec,
    widthPx: 640,
    heightPx: 480,
    freezeCount: Math.floor(sec),
  }
  const path = { ...PATH, rttMs: line.rttMs }
  const streams = { upAudio: up, upVideo: up, downAudio: down, downVideo: down }
  const none = { upFilling: null, downFilling: null }
  return { atMs: 1000 + sec * 1000, ...streams, ...none, upPath: path, downPath: path }
}
