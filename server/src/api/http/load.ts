/** The share of the places and of the queue that one caller may have. The rest is for the others. */
const SHARE_OF_ONE = 3 / 4
/** The number of requests that may wait for each place. */
const WAITING_PER_SLOT = 4
/** A request that waits longer is refused. */
const WAIT_MS = 1_000

/** The requests that this process works at, and the waiting ones, by caller. */
export interface Load {
  /** True if this caller may not add another request. */
  isFullFor(caller: string): boolean
  /** Waits for a place; returns a function that releases it, or undefined if none came free in time. */
  begin(caller: string): Promise<GiveBack | undefined>
}

type GiveBack = () => void
export function createLoad(slotsMax: number, waitMs = WAIT_MS): Load {
  const waitingMax = slotsMax * WAITING_PER_SLOT
  const taken = new Map<string, number>()
  const line = createTaskQueue()
  let running = 0

  const mayRun = (caller: string): boolean =>
    running < slotsMax && (taken.get(caller) ?? 0) < slotsMax * SHARE_OF_ONE

  function take(caller: string): GiveBack {
    running += 1
    taken.set(caller, (taken.get(caller) ?? 0) + 1)
    return () => {
      running -= 1
      const left = (taken.get(caller) ?? 0) - 1
      if (left > 0) taken.set(caller, left)
      else taken.delete(caller)
      line.callNext(mayRun, take)
    }
  }

  return {
    isFullFor: (caller) =>
      line.length() >= waitingMax || line.lengthOf(caller) >= waitingMax * SHARE_OF_ONE,
    async begin(caller) {
      return mayRun(caller) && line.lengthOf(caller) === 0
        ? take(caller)
        : line.wait(caller, waitMs)
    },
  }
}

/** Called with the place, or without one when its time is over. */
type Waiter = (giveBack: GiveBack | undefined) => void

/** The waiting requests: callers take turns, and each caller's requests are first come, first served. */
function createTaskQueue() {
  /** In order of their turns. */
  const queues = new Map<string, Set<Waiter>>()
  let length = 0

  function leave(caller: string, waiter: Waiter): void {
    const queue = queues.get(caller)
    if (queue?.delete(waiter) !== true) return
    length -= 1
    if (queue.size === 0) queues.delete(caller)
  }

  return {
    length: () => length,
    lengthOf: (caller: string) => queues.get(caller)?.size ?? 0,

    /** Undefined when no place came free in time. */
    async wait(caller: string, waitMs: number): Promise<GiveBack | undefined> {
      const { promise, resolve } = Promise.withResolvers<GiveBack | undefined>()
      queues.set(caller, (queues.get(caller) ?? new Set()).add(resolve))
      length += 1
      const timer = setTimeout(() => {
        leave(caller, resolve)
        resolve(undefined)
      }, waitMs)
      const giveBack = await promise
      clearTimeout(timer)
      return giveBack
    },

    callNext(mayRun: (caller: string) => boolean, take: (caller: string) => GiveBack): void {
      for (const [caller, queue] of queues) {
        const [next] = queue
        if (next === undefined || !mayRun(caller)) continue
        leave(caller, next)
        if (queue.size > 0) {
          queues.delete(caller)
          queues.set(caller, queue)
        }
        next(take(caller))
        return
      }
    },
  }
}
