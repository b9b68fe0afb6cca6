import { hash } from 'node:crypto'
import { FairQueue, type Release } from '../../platform/lib/fair-queue.ts'
import { createPace } from '../../platform/lib/pace.ts'

/** One caller's share of the places and of the queue, so that others find room beside the busiest. */
const SHARE_OF_ONE = 3 / 4
/** Places for callers whose credential is not verified yet, beside the others' places. */
const SHARE_OF_STRANGERS = 1 / 4
/** The share of the places that stays while the process only computes, and the fewest. */
const SHARE_WHEN_BUSY = 1 / 4
const SLOTS_MIN = 8
const WAITING_PER_SLOT = 4
/** A request that waits longer has not been served in time. */
const WAIT_MS = 1_000
const REMEMBERED_MAX = 10_000

/** A name that a verified credential stands for, or the address of a stranger. */
export interface LoadCaller {
  name: string
  isKnown: boolean
}

/** The requests that this process works at, and those that wait, by their callers. */
export interface Load {
  /** The caller of this credential, if it was verified here before. */
  callerOf(authorization: string | undefined, address: string): LoadCaller
  /** Notes that this credential was verified, and for whom it stands. */
  remember(authorization: string, name: string): void
  /** Returns true while one more request of this caller is too many. */
  isFullFor(caller: LoadCaller): boolean
  /** Waits for a place; undefined when none came free in time. */
  begin(caller: LoadCaller): Promise<Release | undefined>
}

interface LoadOptions {
  waitMs?: number
  /** The share of the latest time in which the process computed. */
  utilization?: () => number
}

/**
 * At most this many requests side by side. While the process only computes, more of them make none faster, and each waits for
 * all others: it goes down to a quarter, the queue to five eighths and the wait to a half.
 */
export function createLoad(
  slotsMax: number,
  { waitMs = WAIT_MS, utilization }: LoadOptions = {},
): Load {
  const min = Math.min(slotsMax, Math.max(SLOTS_MIN, slotsMax * SHARE_WHEN_BUSY))
  const pace = createPace({ first: slotsMax, max: slotsMax, min, ownMs: Infinity }, utilization)
  const known = new FairQueue(limitsOf(slotsMax, slotsMax, slotsMax))
  const strangers = new FairQueue(limitsOf(strangersIn(slotsMax), slotsMax, slotsMax))
  let slots = slotsMax

  function end(release: Release): void {
    release()
    pace.note(0)
    if (pace.places() === slots) return
    slots = pace.places()
    known.limitTo(limitsOf(slots, slots, slotsMax))
    strangers.limitTo(limitsOf(strangersIn(slots), slots, slotsMax))
  }

  const queueFor = ({ isKnown }: LoadCaller) => (isKnown ? known : strangers)
  const names = new Map<string, string>()

  return {
    callerOf(authorization, address) {
      const name = authorization === undefined ? undefined : names.get(digestOf(authorization))
      return name === undefined ? { name: address, isKnown: false } : { name, isKnown: true }
    },
    remember(authorization, name) {
      if (names.size >= REMEMBERED_MAX) names.clear()
      names.set(digestOf(authorization), name)
    },
    isFullFor: (caller) => queueFor(caller).isFullFor(caller.name),
    async begin(caller) {
      const isBusy = slots < slotsMax
      const release = await queueFor(caller).take(caller.name, isBusy ? waitMs / 2 : waitMs)
      return release && (() => end(release))
    },
  }
}

const strangersIn = (slots: number): number => Math.ceil(slots * SHARE_OF_STRANGERS)

/** The queue shrinks less than the places: it also takes what arrives at one moment. */
function limitsOf(places: number, slots: number, slotsMax: number) {
  const waiting = Math.floor(((slots + slotsMax) / 2) * WAITING_PER_SLOT)
  return {
    places,
    placesPerCaller: places * SHARE_OF_ONE,
    waiting,
    waitingPerCaller: waiting * SHARE_OF_ONE,
  }
}

/** A dump of the memory contains no credential. */
function digestOf(authorization: string): string {
  return hash('sha256', authorization, 'base64')
}
