import type { Logger } from 'pino'
import { DatabaseLost } from '../db/unavailable.ts'
import type { WakeUp } from './wake-up.ts'

const POLL_MS = 1_000

interface ClaimLoop {
  stop: AbortSignal
  /** Also when a place becomes free. */
  hints: WakeUp
  /** Whether as much is under way as this process carries. */
  isFull: () => boolean
  /** Takes what is due, as far as there are places. Answers whether it may have left something. */
  claim: () => Promise<boolean>
  /** The log message of a failure. A lost database is logged once, for all. */
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
