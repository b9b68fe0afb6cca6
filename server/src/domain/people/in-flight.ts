import { POSTED_EVENTS_PER_MINUTE } from '@interview-room/contract/live-moderation.ts'
import { refuseLate } from './rate-limit-error.ts'
import type { TicketHolder } from './ticket.ts'

/** Concurrent writes of one person in one process. A page sends one or two. */
const RUNNING_MAX = 3
/** Requests that may wait for their turn before the next one is refused. A minute's quota may arrive in one burst. */
const WAITING_MAX = POSTED_EVENTS_PER_MINUTE
const RETRY_AFTER_SEC = 1

/** Returns a turn. Called once. */
export type Release = () => void

/**
 * Bounds how much one person can keep busy: their requests queue here before any of them waits for a lock or a connection.
 * Throws 429 RATE_LIMIT_EXCEEDED for one too many.
 */
export function createTurns({ runningMax = RUNNING_MAX, waitingMax = WAITING_MAX } = {}) {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()

  return async function takeTurn(person: string): Promise<Release> {
    const queue = queues.get(person) ?? { running: 0, waiting: [] }
    queues.set(person, queue)
    if (queue.running < runningMax) {
      queue.running += 1
    } else {
      if (queue.waiting.length >= waitingMax) await refuseLate(RETRY_AFTER_SEC)
      // A finished caller hands its turn over.
      await new Promise<void>((resolve) => queue.waiting.push(resolve))
    }
    return () => {
      const next = queue.waiting.shift()
      if (next !== undefined) return next()
      queue.running -= 1
      if (queue.running === 0) queues.delete(person)
    }
  }
}

/** One person in one room. On the simple route, one visit. */
export function personOf({ roomId, mediaIdentity }: TicketHolder): string {
  return `${roomId} ${mediaIdentity}`
}
