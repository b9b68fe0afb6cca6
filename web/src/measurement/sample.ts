/** What a browser has counted for one stream until a moment; null where it did not report it. */
export interface StreamCounters {
  /** Without the headers of the packets, without what was sent again. */
  bytes: number | null
  /** Sent, or received. */
  packets: number | null
  /** May go down: a packet that comes late is no longer lost. */
  packetsLost: number | null
  rttMs: number | null
  jitterMs: number | null
  /** Encoded, or decoded. */
  frames: number | null
  widthPx: number | null
  heightPx: number | null
  freezeCount: number | null
  limitedByCpuSec: number | null
  limitedByBandwidthSec: number | null
}

/** What the browser knows of the way itself that all streams of one connection take. */
export interface PathReading {
  /** Of the last check of the connection. */
  rttMs: number | null
  /** The sum of all checks, and how many there were. */
  rttSumMs: number | null
  rttCount: number | null
  /** The browser's own estimate of what it may send. */
  availableOutgoingKbps: number | null
  /** `udp`, `tcp` or `tls`; with a relay, how the relay is reached. */
  protocol: string | null
  /** `host`, `srflx`, `prflx` or `relay`. */
  candidateType: string | null
}

export const STREAMS = ['upAudio', 'upVideo', 'downAudio', 'downVideo'] as const
export type Stream = (typeof STREAMS)[number]

/** The sum of all streams that fill the connection. */
export type FillingCounters = Pick<StreamCounters, 'bytes' | 'packets' | 'packetsLost'>

/** One reading of both connections: the one that sends and the one that receives it back. */
export interface Sample extends Record<Stream, StreamCounters | null> {
  upFilling: FillingCounters | null
  downFilling: FillingCounters | null
  /** On a clock that only goes forward. */
  atMs: number
  upPath: PathReading | null
  downPath: PathReading | null
}

/** The samples in the order of their time, each moment once. */
export function inOrder(samples: readonly Sample[]): Sample[] {
  const sorted = samples.toSorted((a, b) => a.atMs - b.atMs)
  return sorted.filter((sample, index) => sample.atMs !== sorted[index - 1]?.atMs)
}
