import { DatabaseUnavailable } from './unavailable.ts'

/**
 * Limits how many callers of the same name use a connection at one time. The rest wait here without
 * one, first come, first served.
 */
export interface ConnectionSlots {
  /** Returns how to release the slot; undefined when none is free. */
  tryReserve(name: string): ReleaseSlot | undefined
  /** @throws {NoSlotError} when no slot was released in time */
  reserve(name: string, waitMs: number): Promise<ReleaseSlot>
}

export type ReleaseSlot = () => void

/** Too many wait for the same thing. */
export class NoSlotError extends DatabaseUnavailable {
  readonly slot: string

  constructor(slot: string) {
    super(`too many wait for ${slot}`)
    this.slot = slot
  }
}

interface Queue {
  taken: number
  waiting: Set<() => void>
}

export function createConnectionSlots(limit: number): ConnectionSlots {
  const queues = new Map<string, Queue>()

  function queueOf(name: string): Queue {
    const queue = queues.get(name) ?? { taken: 0, waiting: new Set() }
    queues.set(name, queue)
    return queue
  }

  /** A released slot goes to the caller that has waited longest. */
  function releaseOf(name: string, queue: Queue): ReleaseSlot {
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

  function tryReserve(name: string): ReleaseSlot | undefined {
    const queue = queueOf(name)
    if (queue.taken >= limit) return undefined
    queue.taken += 1
    return releaseOf(name, queue)
  }

  return {
    tryReserve,
    async reserve(name, waitMs) {
      const free = tryReserve(name)
      if (free !== undefined) return free
      const queue = queueOf(name)
      await new Promise<void>((resolve, reject) => {
        const come = (): void => {
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(() => {
          queue.waiting.delete(come)
          reject(new NoSlotError(name))
        }, waitMs)
        queue.waiting.add(come)
      })
      return releaseOf(name, queue)
    },
  }
}
