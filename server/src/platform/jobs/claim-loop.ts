import type { Logger } from 'pino'
import { DatabaseLost } from '../db/unavailable.ts'
import type { WakeUp } from './wake-up.ts'

const POLL_MS = 1_000

interface ClaimLoop {
  stop: AbortSignal
  hints: WakeUp
  /** Whether as much is under way as this process carries. */
  isFull: () => boolean
  /** Takes what is due, and answers how much that was. */
  claim: () => Promise<number>
  /** The log message of a failure. A lost database is logged once, for all. */
  failure: string
  log: Logger
}

/** Claims whenever something may be due, until stopped. */
export async function claimUntilStopped(loop: ClaimLoop): Promise<void> {
  const { stop, hints, isFull, claim, failure, log } = loop
  while (!stop.aborted) {
    const claimed = isFull()
      ? 0
      : await claim().catch((error: unknown) => {
          if (!(error instanceof DatabaseLost)) log.warn({ err: error }, failure)
          return 0
        })
    if (claimed === 0) await hints.wait(POLL_MS)
  }
}
