import { rounded } from './flow.ts'
import { inOrder, type Sample } from './sample.ts'
import { growthOf, growthPerSec, type Point, pointsOf } from './series.ts'

/** Until what is on its way is even, and the first losses were reported. */
const SETTLING_MS = 1_500

/** The headers of IP, UDP and RTP, and the seal of SRTP: they take their part of the line, too. */
export const PACKET_OVERHEAD_BYTES = 58

/** What a line carried while more was put on it than it is asked for; null where nothing was counted. */
export interface Capacity {
  outgoingKbps: number | null
  incomingKbps: number | null
}

/**
 * The bitrate that arrived. Up: what was sent, without the share that got lost. Down: what came back
 * to the receiving connection, which is never more than what went up.
 */
export function capacityOf(unordered: readonly Sample[]): Capacity {
  const all = inOrder(unordered)
  const beganMs = all[0]?.atMs ?? 0
  const samples = all.filter(({ atMs }) => atMs - beganMs >= SETTLING_MS)
  const incomingKbps = kbpsOf(pointsOf(samples, (sample) => wireBytesOf(sample, 'down')))
  const sentKbps = kbpsOf(pointsOf(samples, (sample) => wireBytesOf(sample, 'up')))
  const deliveredKbps = sentKbps === null ? null : sentKbps * (1 - lostShareOf(samples))
  return {
    outgoingKbps: rounded(highestOf(deliveredKbps, incomingKbps), 0),
    incomingKbps: rounded(incomingKbps, 0),
  }
}

const STREAMS_OF = {
  up: ['upAudio', 'upVideo', 'upFilling'],
  down: ['downAudio', 'downVideo', 'downFilling'],
} as const

/** As it goes over the line; null where nothing was counted. */
function wireBytesOf(sample: Sample, direction: 'up' | 'down'): number | null {
  const streams = STREAMS_OF[direction].flatMap((name) => sample[name] ?? [])
  const counted = streams.filter(({ bytes }) => bytes !== null)
  if (counted.length === 0) return null
  return counted.reduce(
    (sum, { bytes, packets }) => sum + (bytes ?? 0) + PACKET_OVERHEAD_BYTES * (packets ?? 0),
    0,
  )
}

/** Of what was sent to fill the line, or of the voice where nothing was. */
function lostShareOf(samples: readonly Sample[]): number {
  const grown = (name: 'packets' | 'packetsLost') =>
    growthOf(pointsOf(samples, (sample) => (sample.upFilling ?? sample.upAudio)?.[name])) ?? 0
  const packets = grown('packets')
  return packets === 0 ? 0 : Math.min(1, grown('packetsLost') / packets)
}

function kbpsOf(points: readonly Point[]): number | null {
  const bytesPerSec = growthPerSec(points)
  return bytesPerSec === null ? null : (8 * bytesPerSec) / 1000
}

function highestOf(...values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}
