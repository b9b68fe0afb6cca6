import type { Tx } from '../../../platform/db/db.ts'
import { findProgress } from '../../../platform/jobs/enqueue.ts'
import type { JobRequest } from '../../../platform/jobs/job.ts'
import { isTrimGivenUp, isTrimOverdue, type TrimCourse } from './trim-times.ts'

/** Whether a locked trim is to be failed as `timed_out`: no worker will take it, or end it, any more. */
export async function hasTimedOut(
  tx: Tx,
  course: TrimCourse,
  { request, now }: { request: JobRequest; now: Date },
): Promise<boolean> {
  if (!isTrimOverdue(course, now)) return false
  return isTrimGivenUp(course, now) || !(await isInLine(tx, course, request))
}

/** Whether a worker is still to take it, or to take it again: many may have been ordered before it. */
async function isInLine(tx: Tx, { begunAt }: TrimCourse, request: JobRequest): Promise<boolean> {
  const progress = await findProgress(tx, request)
  // The worker that has one that was never begun is about to begin.
  return progress === 'waiting' || (progress === 'running' && begunAt === null)
}
