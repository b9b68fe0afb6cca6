import { rounded } from './flow.ts'
import { inOrder, type Sample } from './sample.ts'
import { growthPerSec, pointsOf } from './series.ts'

/** Until the stream is even: what comes first is what the queues on the way let go. */
const SETTLING_MS = 1_500

/** The headers of IP, UDP and RTP, and the authentication tag of SRTP: they take their share of the connection, too. */
export const PACKET_OVERHEAD_BYTES = 58

const STREAMS = ['downAudio', 'downVideo', 'downFilling'] as const

/**
 * What a connection carried while it was overloaded: the bitrate that went up and came back, and
 * so that of its slower direction. Null where nothing was counted.
 */
export function capacityKbpsOf(unordered: readonly Sample[]): number | null {
  const all = inOrder(unordered)
  const beganMs = all[0]?.atMs ?? 0
  const samples = all.filter(({ atMs }) => atMs - beganMs >= SETTLING_MS)
  const bytesPerSec = growthPerSec(pointsOf(samples, wireBytesOf))
  return bytesPerSec === null ? null : rounded((8 * bytesPerSec) / 1000, 0)
}

/** As sent over the network; null where nothing was counted. */
function wireBytesOf(sample: Sample): number | null {
  const counted = STREAMS.flatMap((name) => sample[name] ?? []).filter(
    ({ bytes }) => bytes !== null,
  )
  if (counted.length === 0) return null
  return counted.reduce(
    (sum, { bytes, packets }) => sum + (bytes ?? 0) + PACKET_OVERHEAD_BYTES * (packets ?? 0),
    0,
  )
}
