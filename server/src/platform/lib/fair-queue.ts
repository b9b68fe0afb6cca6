/** Gives a place back. Call it once. */
export type Release = () => void

interface FairQueueLimits {
  /** Places of all callers together. */
  places?: number
  placesPerCaller: number
  /** Requests of all callers that may wait for a place. */
  waiting?: number
  waitingPerCaller?: number
}

type Waiter = (release: Release | undefined) => void

/**
 * Bounds how many requests hold a place at one time and how many wait for one. Callers that wait take turns; the
 * requests of one caller are first come, first served. Limits per caller keep the rest for others.
 */
export class FairQueue {
  readonly #limits: Required<FairQueueLimits>
  readonly #taken = new Map<string, number>()
  /** The next turn is the first entry's. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  #takenCount = 0
  #waitingCount = 0

  constructor(limits: FairQueueLimits) {
    this.#limits = { places: Infinity, waiting: Infinity, waitingPerCaller: Infinity, ...limits }
  }

  /** Returns true while a request of this caller may not even wait. */
  isFullFor(caller: string): boolean {
    const { waiting, waitingPerCaller } = this.#limits
    const ofCaller = this.#waiting.get(caller)?.size ?? 0
    return this.#waitingCount >= waiting || ofCaller >= waitingPerCaller
  }

  /** Takes a place without waiting; undefined when none is free for this caller. */
  tryTake(caller: string): Release | undefined {
    return this.#isFreeFor(caller) ? this.#take(caller) : undefined
  }

  /** Waits for a place; undefined when too many wait already, or when none came free in time. */
  async take(caller: string, waitMs?: number): Promise<Release | undefined> {
    const release = this.tryTake(caller)
    if (release !== undefined || this.isFullFor(caller)) return release

    const { promise, resolve } = Promise.withResolvers<Release | undefined>()
    this.#waiting.set(caller, (this.#waiting.get(caller) ?? new Set()).add(resolve))
    this.#waitingCount += 1
    if (waitMs === undefined) return promise
    const timer = setTimeout(() => {
      this.#leave(caller, resolve)
      resolve(undefined)
    }, waitMs)
    return promise.finally(() => clearTimeout(timer))
  }

  #isFreeFor(caller: string): boolean {
    const { places, placesPerCaller } = this.#limits
    return this.#takenCount < places && (this.#taken.get(caller) ?? 0) < placesPerCaller
  }

  #take(caller: string): Release {
    this.#takenCount += 1
    this.#taken.set(caller, (this.#taken.get(caller) ?? 0) + 1)
    return () => {
      this.#takenCount -= 1
      const left = (this.#taken.get(caller) ?? 0) - 1
      if (left > 0) this.#taken.set(caller, left)
      else this.#taken.delete(caller)
      this.#callNext()
    }
  }

  /** Hands the released place on. At most one waiting request can use it. */
  #callNext(): void {
    for (const [caller, waiters] of this.#waiting) {
      const [next] = waiters
      if (next === undefined || !this.#isFreeFor(caller)) continue
      this.#leave(caller, next)
      // The caller's next turn comes after everybody else's.
      if (this.#waiting.delete(caller)) this.#waiting.set(caller, waiters)
      next(this.#take(caller))
      return
    }
  }

  #leave(caller: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(caller)
    if (waiters?.delete(waiter) !== true) return
    this.#waitingCount -= 1
    if (waiters.size === 0) this.#waiting.delete(caller)
  }
}
