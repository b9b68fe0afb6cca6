import type { TrimRange } from './trim.ts'

const HOUR_MS = 60 * 60 * 1000
const MINUTE_MS = 60 * 1000

/** A trim that nobody has begun by then is ordered again ... */
const ORDERED_AGAIN_AFTER_MS = 15 * MINUTE_MS
/** ... and by then will not be any more. */
const BEGUN_AFTER_MS = 30 * MINUTE_MS
const DONE_AFTER_MS = 30 * MINUTE_MS
/** ... or this many times its length, when that is longer. */
const DONE_AFTER_LENGTHS = 3
/** While what it needs is out of reach. */
const TRIED_FOR_MS = 24 * HOUR_MS

/** How far an unfinished trim is. */
export interface TrimCourse {
  range: TrimRange
  orderedAt: Date
  /** When it was last begun; null before. */
  begunAt: Date | null
}

/** Whether its order may have got lost: nobody has begun it. */
export function isTrimForgotten({ orderedAt, begunAt }: TrimCourse, now: Date): boolean {
  return begunAt === null && now.getTime() >= orderedAt.getTime() + ORDERED_AGAIN_AFTER_MS
}

/** Whether a trim has waited or worked for longer than it may. */
export function isTrimOverdue({ range, orderedAt, begunAt }: TrimCourse, now: Date): boolean {
  if (begunAt === null) return now.getTime() >= orderedAt.getTime() + BEGUN_AFTER_MS
  // A worker that crashes on it again and again cannot report that.
  const lastBegunMs = Math.min(begunAt.getTime(), orderedAt.getTime() + TRIED_FOR_MS)
  return now.getTime() >= lastBegunMs + trimLimitMsOf(range)
}

/** How long an attempt of a trim may take. */
export function trimLimitMsOf({ startSec, endSec }: TrimRange): number {
  return Math.max(DONE_AFTER_MS, DONE_AFTER_LENGTHS * (endSec - startSec) * 1000)
}

/** Whether it is not tried again: nothing has helped since it was ordered. */
export function isTrimGivenUp({ orderedAt }: Pick<TrimCourse, 'orderedAt'>, now: Date): boolean {
  return now.getTime() >= orderedAt.getTime() + TRIED_FOR_MS
}
