import { POSTED_EVENTS_PER_MINUTE } from '@interview-room/contract/live-moderation.ts'
import { FairQueue, type Release } from '../../platform/lib/fair-queue.ts'
import { refuseLate } from './rate-limit-error.ts'
import type { TicketHolder } from './ticket.ts'

/** Concurrent writes of one person in one process. A page sends one or two. */
const RUNNING_MAX = 3
/** Longest queue of one person; the next request is refused. All that a minute allows may come in one burst. */
const WAITING_MAX = POSTED_EVENTS_PER_MINUTE
const RETRY_AFTER_SEC = 1

/**
 * Bounds how much one person can keep busy: their requests queue here before any of them waits for a lock or a connection.
 * Throws 429 RATE_LIMIT_EXCEEDED for one too many.
 */
export function createTurns({ runningMax = RUNNING_MAX, waitingMax = WAITING_MAX } = {}) {
  const queue = new FairQueue({ placesPerCaller: runningMax, waitingPerCaller: waitingMax })

  return async function takeTurn(person: string): Promise<Release> {
    return (await queue.take(person)) ?? refuseLate(RETRY_AFTER_SEC)
  }
}

/** One person in one room. On the simple route, one visit. */
export function personOf({ roomId, mediaIdentity }: TicketHolder): string {
  return `${roomId} ${mediaIdentity}`
}
