import { FairQueue, type Release } from '../../platform/lib/fair-queue.ts'

/** One caller's share of the places and of the queue, so that others find room beside the busiest. */
const SHARE_OF_ONE = 3 / 4
const WAITING_PER_SLOT = 4
/** A request that waits longer has not been served in time. */
const WAIT_MS = 1_000

/** The requests that this process works at, and those that wait, by their callers. */
export interface Load {
  /** Returns true while one more request of this caller is too many. */
  isFullFor(caller: string): boolean
  /** Waits for a place; undefined when none came free in time. */
  begin(caller: string): Promise<Release | undefined>
}

export function createLoad(slotsMax: number, waitMs = WAIT_MS): Load {
  const waitingMax = slotsMax * WAITING_PER_SLOT
  const queue = new FairQueue({
    places: slotsMax,
    placesPerCaller: slotsMax * SHARE_OF_ONE,
    waiting: waitingMax,
    waitingPerCaller: waitingMax * SHARE_OF_ONE,
  })
  return {
    isFullFor: (caller) => queue.isFullFor(caller),
    begin: (caller) => queue.take(caller, waitMs),
  }
}
