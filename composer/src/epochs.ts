/** The time at which a packet was sent by its own timestamp (in ms), and its arrival. */
export interface Arrival {
  timestampMs: number
  atMs: number
}

const JUMP_MS = 250
const PERSISTS_MS = 1500

/**
 * Finds jumps of a sender's timestamps against time: a source that paused, or restarted. Returns the indexes at which a new even
 * stretch begins; the first is always 0. A network that stalls and then delivers everything in a burst causes no jump.
 */
export function epochStarts(arrivals: readonly Arrival[]): number[] {
  const starts = arrivals.length === 0 ? [] : [0]
  let usualMs = Infinity
  let lateSince: number | undefined
  for (let i = 0; i < arrivals.length; i++) {
    const { timestampMs, atMs } = arrivals[i] as Arrival
    const lagMs = atMs - timestampMs
    const isAhead = lagMs < usualMs - JUMP_MS && usualMs !== Infinity
    const isLate = lagMs > usualMs + JUMP_MS
    lateSince = isLate ? (lateSince ?? i) : undefined
    const lateFrom = arrivals[lateSince ?? i]?.atMs ?? atMs
    if (isAhead || (lateSince !== undefined && atMs - lateFrom > PERSISTS_MS)) {
      const start = isAhead ? i : (lateSince ?? i)
      starts.push(start)
      usualMs = lowestLag(arrivals.slice(start, i + 1))
      lateSince = undefined
    } else {
      usualMs = Math.min(usualMs, lagMs)
    }
  }
  return starts
}

function lowestLag(arrivals: readonly Arrival[]): number {
  return Math.min(...arrivals.map(({ timestampMs, atMs }) => atMs - timestampMs))
}
