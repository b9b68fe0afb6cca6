import { performance } from 'node:perf_hooks'

/** The share of the time in which the process may compute. Above it, whatever is under way mostly waits for it. */
const BUSY = 0.9
const LOOK_EVERY_MS = 250
/** Places that a piece of work adds if the process keeps up, and takes away if it does not. */
const MORE = 0.25
const LESS = 1

interface Bounds {
  first: number
  max: number
  min: number
  /** Time that a piece of work may wait in this process. */
  ownMs: number
}

/** The number of things that this process may have under way: fewer while it does not keep up, and then more again. */
export interface Pace {
  places(): number
  /** Notes the time that a piece of work took, without what it waited for outside. */
  note(ownMs: number): void
}

/** @param utilization The share of the latest time in which the process computed. */
export function createPace(
  { first, max, min, ownMs: allowedMs }: Bounds,
  utilization = watchUtilization(),
): Pace {
  let places = first
  return {
    places: () => Math.floor(places),
    note(ownMs) {
      const isLate = ownMs > allowedMs || utilization() > BUSY
      places = Math.min(max, Math.max(min, places + (isLate ? -LESS : MORE)))
    },
  }
}

function watchUtilization(): () => number {
  let before = performance.eventLoopUtilization()
  let latest = 0
  let lookedMs = performance.now()
  return () => {
    if (performance.now() - lookedMs >= LOOK_EVERY_MS) {
      const now = performance.eventLoopUtilization()
      latest = performance.eventLoopUtilization(now, before).utilization
      before = now
      lookedMs = performance.now()
    }
    return latest
  }
}
