import type { Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { RepeatingJob } from '../../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { discardUpload } from '../../../platform/storage/discard-upload.ts'
import { sweepUnfinishedJob } from '../trims/sweep-unfinished-job.ts'
import { hasTimedOut } from '../trims/timed-out.ts'
import { isTrimForgotten, isTrimOverdue } from '../trims/trim-times.ts'
import { moveProcessed } from './move-processed.ts'
import {
  courseOf,
  isCompletable,
  isTrimWanted,
  type ProcessedRecording,
  type ProcessedUpload,
} from './processed-recording.ts'
import { deleteProcessedRow, listUnfinished } from './store.ts'
import { trimProcessedRequest } from './trim-request.ts'
import { whileLocked } from './while-locked.ts'

const HOUR_MS = 60 * 60 * 1000

type SweepDeps = Pick<Deps, 'db' | 'storage' | 'clock'>

/** Cleans up unfinished processed recordings: uploads without completion, and trims. */
export function sweepProcessedJob(deps: SweepDeps & Pick<Deps, 'config'>): RepeatingJob {
  return sweepUnfinishedJob(deps, {
    kind: 'sweep-processed-recordings',
    list: (page) => listUnfinished(deps.db, page),
    sweepOne: (processed) => sweepOne(deps, processed),
    failure: 'processed recording not swept',
    logged: ({ id: processedId }) => ({ processedId }),
  })
}

async function sweepOne(deps: SweepDeps, processed: ProcessedRecording): Promise<void> {
  const now = deps.clock()
  if (isTrimWanted(processed)) {
    if (isTrimOverdue(courseOf(processed), now)) {
      await whileLocked(deps, processed, (tx, locked, { roomId }) =>
        failOverdue(tx, locked, { roomId, now }),
      )
    } else if (isTrimForgotten(courseOf(processed), now)) {
      await enqueue(deps.db, trimProcessedRequest(processed))
    }
  }
  if (isCompletable(processed) && (await isAbandoned(deps, processed, now))) {
    await whileLocked(deps, processed, (tx, locked) => removeAbandoned(tx, locked, now))
  }
}

async function failOverdue(
  tx: Tx,
  locked: ProcessedRecording,
  { roomId, now }: { roomId: string; now: Date },
): Promise<void> {
  if (!isTrimWanted(locked)) return
  const request = trimProcessedRequest(locked)
  if (!(await hasTimedOut(tx, courseOf(locked), { request, now }))) return
  await moveProcessed(tx, locked, { to: 'failed', failureReason: 'timed_out', roomId, at: now })
}

/** The address has expired, and the last PUT had an hour to end. */
function isUploadOver({ uploadExpiresAt }: ProcessedUpload, now: Date): boolean {
  return now.getTime() >= uploadExpiresAt.getTime() + HOUR_MS
}

/** An upload from a day ago that was never completed counts as abandoned. */
function isUploadForgotten({ createdAt }: ProcessedUpload, now: Date): boolean {
  return now.getTime() >= createdAt.getTime() + 24 * HOUR_MS
}

/** True if no upload arrived while the address was valid, or an upload was never completed. */
async function isAbandoned(
  { storage }: Pick<Deps, 'storage'>,
  upload: ProcessedUpload,
  now: Date,
): Promise<boolean> {
  if (!isUploadOver(upload, now)) return false
  return isUploadForgotten(upload, now) || (await storage.head(upload.uploadKey)) === undefined
}

async function removeAbandoned(tx: Tx, locked: ProcessedRecording, now: Date): Promise<void> {
  if (!isCompletable(locked)) return
  await deleteProcessedRow(tx, locked.id)
  await discardUpload(tx, locked, now)
}
