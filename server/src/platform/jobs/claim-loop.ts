import type { Logger } from 'pino'
import { DatabaseLost } from '../db/unavailable.ts'
import type { WakeUp } from './wake-up.ts'

const POLL_MS = 1_000

interface ClaimLoop {
  stop: AbortSignal
  /** Wakes the loop when work may be due, or a place becomes free. */
  hints: WakeUp
  /** True if this process cannot take any more work. */
  isFull: () => boolean
  /** Claims due work as far as there are places. Returns true if it may have left some. */
  claim: () => Promise<boolean>
  /** The log message for a failure. A lost database is logged only once for all loops. */
  failure: string
  log: Logger
}

/** Claims whenever something may be due, until stopped. */
export async function claimUntilStopped(loop: ClaimLoop): Promise<void> {
  const { stop, hints, isFull, claim, failure, log } = loop
  while (!stop.aborted) {
    const hasLeftSome =
      !isFull() &&
      (await claim().catch((error: unknown) => {
        if (!(error instanceof DatabaseLost)) log.warn({ err: error }, failure)
        return false
      }))
    if (!hasLeftSome) await hints.wait(POLL_MS)
  }
}
