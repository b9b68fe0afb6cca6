import type { ProcessedTrim, ProcessedUpload } from './processed-recording.ts'

const HOUR_MS = 60 * 60 * 1000
const MINUTE_MS = 60 * 1000

/** A trim that nobody has begun by then is ordered again ... */
const TRIM_ORDERED_AGAIN_AFTER_MS = 15 * MINUTE_MS
/** ... and by then will not be any more. */
const TRIM_BEGUN_AFTER_MS = 30 * MINUTE_MS
const TRIM_DONE_AFTER_MS = 30 * MINUTE_MS
/** ... or this many times the length of the clip, when that is longer. */
const TRIM_DONE_AFTER_CLIPS = 3
/** While what it needs is out of reach. */
const TRIM_TRIED_FOR_MS = 24 * HOUR_MS

/** Nothing can be uploaded any more, and the last PUT had an hour to end. */
export function isUploadOver({ uploadExpiresAt }: ProcessedUpload, now: Date): boolean {
  return now.getTime() >= uploadExpiresAt.getTime() + HOUR_MS
}

/** What was uploaded a day ago and never completed is not wanted. */
export function isUploadForgotten({ createdAt }: ProcessedUpload, now: Date): boolean {
  return now.getTime() >= createdAt.getTime() + 24 * HOUR_MS
}

/** Whether its order may have got lost: nobody has begun it. */
export function isTrimForgotten({ status, createdAt }: ProcessedTrim, now: Date): boolean {
  const waitedMs = now.getTime() - createdAt.getTime()
  return status === 'pending' && waitedMs >= TRIM_ORDERED_AGAIN_AFTER_MS
}

/** Whether a trim has waited or worked for longer than it may. */
export function isTrimOverdue(trim: ProcessedTrim, now: Date): boolean {
  const { status, createdAt, updatedAt, attemptedAt } = trim
  if (status === 'pending') return now.getTime() >= createdAt.getTime() + TRIM_BEGUN_AFTER_MS
  const limitMs = trimLimitMsOf(trim)
  const begunAt = attemptedAt ?? updatedAt
  // A worker that crashes on it again and again cannot report that.
  const lastBegunMs = Math.min(begunAt.getTime(), createdAt.getTime() + TRIM_TRIED_FOR_MS)
  return status === 'processing' && now.getTime() >= lastBegunMs + limitMs
}

/** How long an attempt of a trim may take. */
export function trimLimitMsOf({
  trimStartSec,
  trimEndSec,
}: Pick<ProcessedTrim, 'trimStartSec' | 'trimEndSec'>): number {
  const clipMs = (trimEndSec - trimStartSec) * 1000
  return Math.max(TRIM_DONE_AFTER_MS, TRIM_DONE_AFTER_CLIPS * clipMs)
}

/** Whether it is not tried again: nothing has helped since it was ordered. */
export function isTrimGivenUp({ createdAt }: ProcessedTrim, now: Date): boolean {
  return now.getTime() >= createdAt.getTime() + TRIM_TRIED_FOR_MS
}
