/** A point where two clocks were read at the same time. */
export interface ClockReading {
  from: number
  to: number
}

// Long enough to include a report that arrived without delay, short enough for clocks that drift.
const WINDOW_MS = 30_000

/**
 * Tracks the offset between our clock and a sender's. Every arrival is delayed by the network and by chance. The earliest ones
 * around a moment give the offset, even while the clocks drift apart.
 */
export class OffsetCurve {
  readonly #points: readonly { atMs: number; offsetMs: number }[]

  constructor(readings: readonly ClockReading[]) {
    const sorted = readings.toSorted((a, b) => a.to - b.to)
    this.#points = earliestAround(
      sorted.map(({ from, to }) => ({ atMs: from, offsetMs: to - from })),
    )
  }

  /** A moment of the sender's clock in our time; undefined before the first point. */
  ourMs(senderMs: number): number | undefined {
    const points = this.#points
    const first = points[0]
    if (first === undefined) return undefined
    const after = points.findIndex(({ atMs }) => atMs > senderMs)
    const left = after === -1 ? points.at(-1) : points[after - 1]
    const right = after === -1 ? left : points[after]
    if (left === undefined || right === undefined || left === right) {
      return senderMs + (left ?? first).offsetMs
    }
    const share = (senderMs - left.atMs) / (right.atMs - left.atMs)
    return senderMs + left.offsetMs + share * (right.offsetMs - left.offsetMs)
  }
}

/** The earliest point among each window and its neighbours: few points, whatever the length. */
function earliestAround(
  points: readonly { atMs: number; offsetMs: number }[],
): { atMs: number; offsetMs: number }[] {
  const first = points[0]
  if (first === undefined) return []
  const lows = new Map<number, number>()
  for (const { atMs, offsetMs } of points) {
    const bucket = Math.floor((atMs - first.atMs) / WINDOW_MS)
    lows.set(bucket, Math.min(lows.get(bucket) ?? Infinity, offsetMs))
  }
  const lowAt = (bucket: number) => lows.get(bucket) ?? Infinity
  return [...lows.keys()]
    .toSorted((a, b) => a - b)
    .map((bucket) => ({
      atMs: first.atMs + (bucket + 0.5) * WINDOW_MS,
      offsetMs: Math.min(lowAt(bucket - 1), lowAt(bucket), lowAt(bucket + 1)),
    }))
}

/** Interpolates between points, and extrapolates beyond them at the nominal rate. */
export class PaceLine {
  readonly #points: readonly ClockReading[]
  readonly #unitsPerMs: number
  #cursor = 0

  constructor(points: readonly ClockReading[], unitsPerMs: number) {
    this.#points = points.toSorted((a, b) => a.from - b.from)
    this.#unitsPerMs = unitsPerMs
  }

  get isEmpty(): boolean {
    return this.#points.length === 0
  }

  at(from: number): number | undefined {
    const points = this.#points
    while (this.#cursor > 0 && (points[this.#cursor]?.from ?? 0) > from) this.#cursor--
    while ((points[this.#cursor + 1]?.from ?? Infinity) <= from) this.#cursor++
    const left = points[this.#cursor]
    if (left === undefined) return undefined
    const right = points[this.#cursor + 1]
    if (right === undefined || from < left.from) {
      return left.to + (from - left.from) / this.#unitsPerMs
    }
    return left.to + ((from - left.from) / (right.from - left.from)) * (right.to - left.to)
  }
}
