import { rounded } from './flow.ts'
import { inOrder, type Sample } from './sample.ts'
import { growthPerSec, pointsOf } from './series.ts'

/** Skips the start of the stream, in which the queues on the way empty. */
const SETTLING_MS = 1_500

/** The headers of IP, UDP and RTP, and the authentication tag of SRTP. They use bandwidth, too. */
export const PACKET_OVERHEAD_BYTES = 58

const STREAMS = ['downAudio', 'downVideo', 'downFilling'] as const

/**
 * The bitrate that an overloaded connection carried to the server and back, and therefore the bitrate of its slower
 * direction. Null if nothing was counted.
 */
export function capacityKbpsOf(unordered: readonly Sample[]): number | null {
  const all = inOrder(unordered)
  const beganMs = all[0]?.atMs ?? 0
  const samples = all.filter(({ atMs }) => atMs - beganMs >= SETTLING_MS)
  const bytesPerSec = growthPerSec(pointsOf(samples, wireBytesOf))
  return bytesPerSec === null ? null : rounded((8 * bytesPerSec) / 1000, 0)
}

/** Bytes as sent over the network. Null if nothing was counted. */
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
