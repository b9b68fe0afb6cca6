import type { Tx } from '../../../platform/db/db.ts'
import { findProgress } from '../../../platform/jobs/enqueue.ts'
import type { JobRequest } from '../../../platform/jobs/job.ts'
import { isTrimGivenUp, isTrimOverdue, type TrimCourse } from './trim-times.ts'

/** True if a locked trim must fail as `timed_out`, because no worker will start or finish it any more. */
export async function hasTimedOut(
  tx: Tx,
  course: TrimCourse,
  { request, now }: { request: JobRequest; now: Date },
): Promise<boolean> {
  if (!isTrimOverdue(course, now)) return false
  return isTrimGivenUp(course, now) || !(await isInLine(tx, course, request))
}

/** True if a worker will still start or retry the trim. Many others may have been ordered before it. */
async function isInLine(tx: Tx, { begunAt }: TrimCourse, request: JobRequest): Promise<boolean> {
  const progress = await findProgress(tx, request)
  // A worker that runs a trim without a start is about to start it.
  return progress === 'waiting' || (progress === 'running' && begunAt === null)
}
