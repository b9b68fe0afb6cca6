import type { Clock } from '../../platform/lib/clock.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { refuseLate } from './rate-limit-error.ts'

/** Time for which a refusal is cached before the database is asked again. */
const CACHED_MS = 1_000
/** More people than one process refuses at a time. Beyond this number the oldest refusal is dropped. */
const KEPT_MAX = 10_000

/**
 * Rate-limited senders and the end of their wait. The database counts the rate, with the room's lock, because the limit
 * covers all replicas. This cache saves that lock for a sender who retries within a second.
 */
export interface RateRefusals {
  /** Seconds that this sender still has to wait. Returns undefined when the database must be asked. */
  waitSecOf(sender: string): number | undefined
  /** Throws 429 RATE_LIMIT_EXCEEDED without running `work` while the sender has to wait. */
  unlessWaiting<T>(sender: string, work: () => Promise<T>): Promise<T>
}

export function createRateRefusals(clock: Clock): RateRefusals {
  const refusals = new Map<string, { atMs: number; untilMs: number }>()

  function waitSecOf(sender: string): number | undefined {
    const refusal = refusals.get(sender)
    if (refusal === undefined) return undefined
    const nowMs = clock().getTime()
    const isCached = Math.abs(nowMs - refusal.atMs) < CACHED_MS && nowMs < refusal.untilMs
    if (isCached) return Math.ceil((refusal.untilMs - nowMs) / 1000)
    refusals.delete(sender)
    return undefined
  }

  function remember(sender: string, waitSec: number): void {
    const atMs = clock().getTime()
    refusals.delete(sender)
    refusals.set(sender, { atMs, untilMs: atMs + waitSec * 1000 })
    const [oldest] = refusals.keys()
    if (refusals.size > KEPT_MAX && oldest !== undefined) refusals.delete(oldest)
  }

  return {
    waitSecOf,
    async unlessWaiting(sender, work) {
      const waitSec = waitSecOf(sender)
      if (waitSec !== undefined) await refuseLate(waitSec)
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
