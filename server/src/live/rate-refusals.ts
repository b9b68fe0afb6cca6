import type { Clock } from '../lib/clock.ts'
import { ServiceError } from '../lib/service-error.ts'
import { refuseLate } from './refuse-haste.ts'

/** More people than one process ever refuses at a time; beyond it the oldest refusal is forgotten. */
const KEPT_MAX = 10_000

/**
 * Who was refused for haste, and until when. The rate itself is counted in the database, behind the
 * room's lock, because it holds over all replicas; who has been refused once is not worth a lock again.
 */
export interface RateRefusals {
  /** Seconds that this sender still has to wait; undefined when nobody knows of any. */
  waitSecOf(sender: string): number | undefined
  /** Throws 429 RATE_LIMIT_EXCEEDED without running `work` while the sender has to wait. */
  unlessWaiting<T>(sender: string, work: () => Promise<T>): Promise<T>
}

export function createRateRefusals(clock: Clock): RateRefusals {
  const refusedUntil = new Map<string, number>()

  function waitSecOf(sender: string): number | undefined {
    const until = refusedUntil.get(sender)
    if (until === undefined) return undefined
    const waitMs = until - clock().getTime()
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    refusedUntil.delete(sender)
    return undefined
  }

  function remember(sender: string, waitSec: number): void {
    refusedUntil.delete(sender)
    refusedUntil.set(sender, clock().getTime() + waitSec * 1000)
    const [oldest] = refusedUntil.keys()
    if (refusedUntil.size > KEPT_MAX && oldest !== undefined) refusedUntil.delete(oldest)
  }

  return {
    waitSecOf,
    async unlessWaiting(sender, work) {
      await refuseLate(waitSecOf(sender))
      try {
        return await work()
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'RATE_LIMIT_EXCEEDED') {
          remember(sender, Number(error.headers['retry-after'] ?? 1))
        }
        throw error
      }
    },
  }
}
