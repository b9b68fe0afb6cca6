import type { ProcessedRecording, ProcessedUpload } from './processed-recording.ts'

const HOUR_MS = 60 * 60 * 1000
const MINUTE_MS = 60 * 1000

/** A trim that nobody has begun by then will not be: twice the 15 minutes it is given. */
const TRIM_BEGUN_AFTER_MS = 30 * MINUTE_MS
const TRIM_DONE_AFTER_MS = 30 * MINUTE_MS
/** ... or this many times the length of the clip, when that is longer. */
const TRIM_DONE_AFTER_CLIPS = 3

/** Nothing can be uploaded any more, and the last PUT had an hour to end. */
export function isUploadOver({ uploadExpiresAt }: ProcessedUpload, now: Date): boolean {
  return now.getTime() >= uploadExpiresAt.getTime() + HOUR_MS
}

/** What was uploaded a day ago and never completed is not wanted. */
export function isUploadForgotten({ createdAt }: ProcessedUpload, now: Date): boolean {
  return now.getTime() >= createdAt.getTime() + 24 * HOUR_MS
}

/** Whether a trim has waited or worked for longer than it may. */
export function isTrimOverdue(processed: ProcessedRecording, now: Date): boolean {
  if (processed.source !== 'trim') return false
  const { status, trimStartSec, trimEndSec, createdAt, updatedAt } = processed
  if (status === 'pending') return now.getTime() >= createdAt.getTime() + TRIM_BEGUN_AFTER_MS
  const clipMs = (trimEndSec - trimStartSec) * 1000
  const limitMs = Math.max(TRIM_DONE_AFTER_MS, TRIM_DONE_AFTER_CLIPS * clipMs)
  return status === 'processing' && now.getTime() >= updatedAt.getTime() + limitMs
}
