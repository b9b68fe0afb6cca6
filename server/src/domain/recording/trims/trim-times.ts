import type { TrimRange } from './trim.ts'

const HOUR_MS = 60 * 60 * 1000
const MINUTE_MS = 60 * 1000

/** A trim that no worker has started by then is ordered again ... */
const ORDERED_AGAIN_AFTER_MS = 15 * MINUTE_MS
/** ... and fails if no worker has started it by then. */
const BEGUN_AFTER_MS = 30 * MINUTE_MS
const DONE_AFTER_MS = 30 * MINUTE_MS
/** ... or this many times its length, when that is longer. */
const DONE_AFTER_LENGTHS = 3
/** Retry period while its dependencies are unavailable. */
const TRIED_FOR_MS = 24 * HOUR_MS

/** The progress of an unfinished trim. */
export interface TrimCourse {
  range: TrimRange
  orderedAt: Date
  /** Last start; null before the first. */
  begunAt: Date | null
}

/** True if the order may have been lost, because no worker has started it. */
export function isTrimForgotten({ orderedAt, begunAt }: TrimCourse, now: Date): boolean {
  return begunAt === null && now.getTime() >= orderedAt.getTime() + ORDERED_AGAIN_AFTER_MS
}

/** True if a trim has waited or run for longer than allowed. */
export function isTrimOverdue({ range, orderedAt, begunAt }: TrimCourse, now: Date): boolean {
  if (begunAt === null) return now.getTime() >= orderedAt.getTime() + BEGUN_AFTER_MS
  // A worker that keeps crashing on the trim cannot report that, so later starts do not extend the limit.
  const lastBegunMs = Math.min(begunAt.getTime(), orderedAt.getTime() + TRIED_FOR_MS)
  return now.getTime() >= lastBegunMs + trimLimitMsOf(range)
}

/** Time limit of one attempt. */
export function trimLimitMsOf({ startSec, endSec }: TrimRange): number {
  return Math.max(DONE_AFTER_MS, DONE_AFTER_LENGTHS * (endSec - startSec) * 1000)
}

/** True if the trim is not tried any more, because all attempts since its order have failed. */
export function isTrimGivenUp({ orderedAt }: Pick<TrimCourse, 'orderedAt'>, now: Date): boolean {
  return now.getTime() >= orderedAt.getTime() + TRIED_FOR_MS
}
