import type { LoadFacts } from '@interview-room/contract/connection-tests.ts'
import { inOrder, type Sample, type Stream, type StreamCounters } from './sample.ts'
import { averageOf, growthOf, growthPerSec, type Point, pointsOf } from './series.ts'

type Flow = NonNullable<LoadFacts['uplink']['audio']>

/** The four streams under load, in the words of the contract. Null if nothing was counted. */
export function flowsOf(unordered: readonly Sample[]): Pick<LoadFacts, 'uplink' | 'downlink'> {
  const samples = inOrder(unordered)
  return {
    uplink: reportedOnEither({
      audio: flowOf(samples, 'upAudio'),
      video: flowOf(samples, 'upVideo'),
    }),
    downlink: { audio: flowOf(samples, 'downAudio'), video: flowOf(samples, 'downVideo') },
  }
}

/**
 * Packets of both streams take the same path. If the media server reported nothing about one stream, its report about
 * the other one is used.
 */
function reportedOnEither({ audio, video }: LoadFacts['uplink']): LoadFacts['uplink'] {
  return { audio: completedBy(audio, video), video: completedBy(video, audio) }
}

function completedBy(flow: Flow | null, other: Flow | null): Flow | null {
  if (flow === null || other === null) return flow
  return {
    ...flow,
    packet_loss_ratio: flow.packet_loss_ratio ?? other.packet_loss_ratio,
    jitter_ms: flow.jitter_ms ?? other.jitter_ms,
  }
}

function flowOf(samples: readonly Sample[], stream: Stream): Flow | null {
  const points = (name: keyof StreamCounters) => pointsOf(samples, (each) => each[stream]?.[name])
  const bytesPerSec = growthPerSec(points('bytes'))
  if (bytesPerSec === null) return null
  const isVideo = stream.endsWith('Video')
  return {
    bitrate_kbps: rounded((8 * bytesPerSec) / 1000, 1),
    packet_loss_ratio: rounded(lossOf(samples, stream), 4),
    rtt_ms: rounded(rttOf(samples, stream), 1),
    jitter_ms: rounded(averageOf(points('jitterMs')), 1),
    frame_rate: isVideo ? rounded(growthPerSec(points('frames')), 1) : null,
    width: isVideo ? lastOf(points('widthPx')) : null,
    height: isVideo ? lastOf(points('heightPx')) : null,
    freeze_count: growthOf(points('freezeCount')),
    limited_by_cpu_sec: rounded(growthOf(points('limitedByCpuSec')), 1),
    limited_by_bandwidth_sec: rounded(growthOf(points('limitedByBandwidthSec')), 1),
  }
}

const UP_OF = { downAudio: 'upAudio', downVideo: 'upVideo' } as const

/** The loss on the downlink alone. Packets lost on the uplink are missing on the downlink, too. */
function lossOf(samples: readonly Sample[], stream: Stream): number | null {
  const lossRatio = lossRatioOf(samples, stream)
  if (lossRatio === null || stream === 'upAudio' || stream === 'upVideo') return lossRatio
  return lossOfSecondPart(lossRatio, lossRatioOf(samples, UP_OF[stream]) ?? 0)
}

/**
 * Reads the round-trip time from the connection's own checks. Streams report it from their last sender report, which
 * is seconds old. Only checks of this interval count, if the browser reports their number.
 */
function rttOf(samples: readonly Sample[], stream: Stream): number | null {
  const path = stream.startsWith('up') ? 'upPath' : 'downPath'
  const checks = growthOf(pointsOf(samples, (sample) => sample[path]?.rttCount)) ?? 0
  const sumMs = growthOf(pointsOf(samples, (sample) => sample[path]?.rttSumMs))
  if (checks > 0 && sumMs !== null) return sumMs / checks
  const measured = pointsOf(samples, (sample) => sample[path]?.rttMs)
  return averageOf(
    measured.length > 0 ? measured : pointsOf(samples, (sample) => sample[stream]?.rttMs),
  )
}

function lastOf(points: readonly Point[]): number | null {
  return points.at(-1)?.value ?? null
}

export function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits))
}

/**
 * The share of packets that did not arrive, 0..1. The loss counter may decrease when a late packet arrives after all.
 * A decreasing packet counter means that the browser restarted it. Null if nothing was sent or reported.
 */
function lossRatioOf(samples: readonly Sample[], stream: Stream): number | null {
  const counted = samples.flatMap((sample) => {
    const { packets, packetsLost } = sample[stream] ?? { packets: null, packetsLost: null }
    return packets === null || packetsLost === null ? [] : [{ packets, packetsLost }]
  })
  let packets = 0
  let packetsLost = 0
  for (const [index, now] of counted.slice(1).entries()) {
    const before = counted[index] ?? now
    if (now.packets < before.packets) continue
    packets += now.packets - before.packets
    packetsLost += now.packetsLost - before.packetsLost
  }
  // A sender counts the packets it sent, a receiver the packets it received.
  const all = stream.startsWith('up') ? packets : packets + packetsLost
  return all <= 0 ? null : Math.min(1, Math.max(0, packetsLost / all))
}

/**
 * The loss of the second part of a path, computed from the loss of the whole path and of its first part. The media
 * server forwards the gaps of packets that never reached it.
 */
function lossOfSecondPart(wholeRatio: number, firstRatio: number): number {
  if (firstRatio >= 1) return 0
  return Math.min(1, Math.max(0, (wholeRatio - firstRatio) / (1 - firstRatio)))
}
