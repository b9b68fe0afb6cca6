import { hash } from 'node:crypto'
import { FairQueue, type Release } from '../../platform/lib/fair-queue.ts'

/** One caller's share of the places and of the queue, so that others find room beside the busiest. */
const SHARE_OF_ONE = 3 / 4
/** Places for callers whose credential is not verified yet, beside the others' places. */
const SHARE_OF_STRANGERS = 1 / 4
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

export function createLoad(slotsMax: number, waitMs = WAIT_MS): Load {
  const known = queueOf(slotsMax, slotsMax)
  const strangers = queueOf(Math.ceil(slotsMax * SHARE_OF_STRANGERS), slotsMax)
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
    begin: (caller) => queueFor(caller).take(caller.name, waitMs),
  }
}

function queueOf(places: number, slotsMax: number): FairQueue {
  const waiting = slotsMax * WAITING_PER_SLOT
  return new FairQueue({
    places,
    placesPerCaller: places * SHARE_OF_ONE,
    waiting,
    waitingPerCaller: waiting * SHARE_OF_ONE,
  })
}

/** A dump of the memory contains no credential. */
function digestOf(authorization: string): string {
  return hash('sha256', authorization, 'base64')
}
