import { rounded } from './flow.ts'
import { inOrder, type Sample } from './sample.ts'
import { fastestPerSec, type Point, pointsOf } from './series.ts'

/** A shorter stretch would count what a queue on the way held back and let go at once. */
const STRETCH_MS = 2_000

/** What a line carried at most while it was filled; null where nothing was counted. */
export interface Capacity {
  outgoingKbps: number | null
  incomingKbps: number | null
}

/**
 * The highest bitrate that arrived over a stretch of time. Up: what was sent without what got lost.
 * Down: what came back to the receiving connection, which is never more than what went up.
 */
export function capacityOf(unordered: readonly Sample[]): Capacity {
  const samples = inOrder(unordered)
  const incomingKbps = fastestKbps(pointsOf(samples, receivedBytesOf))
  const deliveredKbps = fastestKbps(deliveredPointsOf(samples))
  return {
    outgoingKbps: rounded(maxOf(deliveredKbps, incomingKbps), 0),
    incomingKbps: rounded(incomingKbps, 0),
  }
}

function fastestKbps(points: readonly Point[]): number | null {
  const bytesPerSec = fastestPerSec(points, STRETCH_MS)
  return bytesPerSec === null ? null : (8 * bytesPerSec) / 1000
}

function receivedBytesOf({ downAudio, downVideo }: Sample): number | null {
  return sumOf(downAudio?.bytes, downVideo?.bytes)
}

/** The sum of what arrived of each step between two samples. */
function deliveredPointsOf(samples: readonly Sample[]): Point[] {
  let delivered = 0
  let before: Sample | undefined
  return samples.flatMap((sample) => {
    if (sample.upVideo?.bytes == null && sample.upAudio?.bytes == null) return []
    if (before !== undefined) {
      delivered += arrivedBytes(before, sample, 'upAudio') + arrivedBytes(before, sample, 'upVideo')
    }
    before = sample
    return [{ atMs: sample.atMs, value: delivered }]
  })
}

function arrivedBytes(before: Sample, after: Sample, stream: 'upAudio' | 'upVideo'): number {
  const grown = (name: 'bytes' | 'packets' | 'packetsLost') =>
    Math.max(0, (after[stream]?.[name] ?? 0) - (before[stream]?.[name] ?? 0))
  const packets = grown('packets')
  const lostRatio = packets === 0 ? 0 : Math.min(1, grown('packetsLost') / packets)
  return grown('bytes') * (1 - lostRatio)
}

function sumOf(...values: (number | null | undefined)[]): number | null {
  const known = values.filter((value) => value !== null && value !== undefined)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

function maxOf(...values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}
