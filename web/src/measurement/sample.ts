/** The browser's counters of one stream at one moment. Null if the browser does not report one. */
export interface StreamCounters {
  /** Excludes packet headers and retransmissions. */
  bytes: number | null
  /** Packets that were sent or received. */
  packets: number | null
  /** May decrease, because a late packet is no longer lost. */
  packetsLost: number | null
  rttMs: number | null
  jitterMs: number | null
  /** Frames that were encoded or decoded. */
  frames: number | null
  widthPx: number | null
  heightPx: number | null
  freezeCount: number | null
  limitedByCpuSec: number | null
  limitedByBandwidthSec: number | null
}

/** The statistics of the network path that all streams of one connection share. */
export interface PathReading {
  /** The result of the connection's last check. */
  rttMs: number | null
  /** The sum and the number of all checks. */
  rttSumMs: number | null
  rttCount: number | null
  /** The browser's own estimate of the bandwidth it can use. */
  availableOutgoingKbps: number | null
  /** `udp`, `tcp` or `tls`. With a relay, the protocol to the relay. */
  protocol: string | null
  /** `host`, `srflx`, `prflx` or `relay`. */
  candidateType: string | null
}

export const STREAMS = ['upAudio', 'upVideo', 'downAudio', 'downVideo'] as const
export type Stream = (typeof STREAMS)[number]

/** The sum of all streams that fill the connection. */
export type FillingCounters = Pick<StreamCounters, 'bytes' | 'packets' | 'packetsLost'>

/** One reading of both connections: the sending and the receiving one. */
export interface Sample extends Record<Stream, StreamCounters | null> {
  upFilling: FillingCounters | null
  downFilling: FillingCounters | null
  /** A monotonic time. */
  atMs: number
  upPath: PathReading | null
  downPath: PathReading | null
}

/** The samples in chronological order, one for each moment. */
export function inOrder(samples: readonly Sample[]): Sample[] {
  const sorted = samples.toSorted((a, b) => a.atMs - b.atMs)
  return sorted.filter((sample, index) => sample.atMs !== sorted[index - 1]?.atMs)
}
