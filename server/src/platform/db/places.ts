import { DatabaseUnavailable } from './unavailable.ts'

/**
 * Places by name: of those who want the same thing only so many have a connection at one time, and
 * the rest wait here, without one, first come, first served.
 */
export interface Places {
  /** Answers how to give the place back; undefined when none is free. */
  tryTake(name: string): GiveBack | undefined
  /** @throws {NoPlace} when none came free in time */
  take(name: string, waitMs: number): Promise<GiveBack>
}

export type GiveBack = () => void

/** Too many wait for the same thing. */
export class NoPlace extends DatabaseUnavailable {
  readonly place: string

  constructor(place: string) {
    super(`too many wait for ${place}`)
    this.place = place
  }
}

interface Queue {
  taken: number
  waiting: Set<() => void>
}

export function createPlaces(limit: number): Places {
  const queues = new Map<string, Queue>()

  function queueOf(name: string): Queue {
    const queue = queues.get(name) ?? { taken: 0, waiting: new Set() }
    queues.set(name, queue)
    return queue
  }

  /** Of one who leaves, the place goes to who has waited longest. */
  function giveBackOf(name: string, queue: Queue): GiveBack {
    return () => {
      const [next] = queue.waiting
      if (next !== undefined) {
        queue.waiting.delete(next)
        next()
        return
      }
      queue.taken -= 1
      if (queue.taken === 0) queues.delete(name)
    }
  }

  function tryTake(name: string): GiveBack | undefined {
    const queue = queueOf(name)
    if (queue.taken >= limit) return undefined
    queue.taken += 1
    return giveBackOf(name, queue)
  }

  return {
    tryTake,
    async take(name, waitMs) {
      const free = tryTake(name)
      if (free !== undefined) return free
      const queue = queueOf(name)
      await new Promise<void>((resolve, reject) => {
        const come = (): void => {
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(() => {
          queue.waiting.delete(come)
          reject(new NoPlace(name))
        }, waitMs)
        queue.waiting.add(come)
      })
      return giveBackOf(name, queue)
    },
  }
}
