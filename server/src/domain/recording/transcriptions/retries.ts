import type { FailureReason } from './engines/engine.ts'
import type { Transcription } from './transcription.ts'

/** Pauses after the first, second, ... failure. One more failure is the end. */
const SUBMIT_AGAIN_SEC = [2, 10, 60]
const RESUBMIT_SEC = [30, 120, 600]
/** Longest pause that an engine may ask for. */
const PAUSE_MAX_SEC = 3600

export interface Failure {
  isTransient: boolean
  reason: FailureReason
  retryAfterSec?: number | undefined
}

export type FailureConsequence =
  | { to: 'error' | 'request_error'; failureReason: FailureReason }
  /** The same state, or `retrying` if an engine had already started. */
  | { to: 'sending_request' | 'retrying'; failures: number; pauseSec: number }

/** The consequence of an engine's failure for a running transcription. */
export function consequenceOf(
  { status, failures }: Pick<Transcription, 'status' | 'failures'>,
  { isTransient, reason, retryAfterSec = 0 }: Failure,
): FailureConsequence {
  const isSubmitting = status === 'sending_request'
  const pauses = isSubmitting ? SUBMIT_AGAIN_SEC : RESUBMIT_SEC
  const pauseSec = pauses[failures]
  if (isTransient && pauseSec !== undefined) {
    const waitSec = Math.min(Math.max(pauseSec, retryAfterSec), PAUSE_MAX_SEC)
    const to = isSubmitting ? 'sending_request' : 'retrying'
    return { to, failures: failures + 1, pauseSec: waitSec }
  }
  // Even an invalid answer shows that the engine had accepted it.
  const hadBegun = !isSubmitting || reason === 'result_invalid'
  return { to: hadBegun ? 'error' : 'request_error', failureReason: reason }
}

/** Pause until the next poll, by the time since the start: 15 s, growing to 60 s. */
export function pollPauseSec(elapsedSec: number): number {
  return Math.min(60, 15 + Math.max(0, elapsedSec) / 10)
}
