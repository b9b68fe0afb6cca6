import { performance } from 'node:perf_hooks'

/** Attempts under way in one process. */
const PLACES_MAX = 256
const PLACES_FIRST = 64
const PLACES_MIN = 16
/** The share of the attempts for endpoints that answer slowly, or not at all. */
const SLOW_SHARE = 1 / 4
/** Time that an attempt may wait in this process, beside the receiver's: much less than a lease. */
const OWN_MS = 500
/** The share of the time in which the process may compute. Above it, the receiver's time is mostly waiting, too. */
const BUSY = 0.9
/** Places that one attempt adds if the process keeps up, and takes away if it does not. */
const MORE = 0.25
const LESS = 1
const LOOK_EVERY_MS = 250

/**
 * Bounds the attempts under way to what this process can make in time. A claimed delivery that waits here keeps its endpoint from
 * its turn, and is made twice if its lease ends meanwhile or its result cannot be stored.
 */
export interface Pace {
  /** The attempts that may be under way, and those of slow endpoints among them. */
  places(): { all: number; slow: number }
  /** Notes the time that an attempt took from its claim until its result was stored, without the receiver's. */
  note(ownMs: number): void
}

/** @param utilization The share of the latest time in which the process computed. */
export function createPace(utilization = watchUtilization()): Pace {
  let places = PLACES_FIRST
  return {
    places: () => ({ all: Math.floor(places), slow: Math.floor(places * SLOW_SHARE) }),
    note(ownMs) {
      const isLate = ownMs > OWN_MS || utilization() > BUSY
      places = Math.min(PLACES_MAX, Math.max(PLACES_MIN, places + (isLate ? -LESS : MORE)))
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
