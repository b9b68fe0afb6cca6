import { inTransaction } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { RepeatingJob } from '../../platform/jobs/repeating-job.ts'
import { sweepJob } from '../../platform/jobs/sweep-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteObjectsRequest } from '../../platform/storage/delete-objects.job.ts'
import { deleteOldUploads } from './attachment-store.ts'

const EVERY_SEC = 60 * 60
/** Objects per job that deletes them. */
const BATCH = 1000

/**
 * Removes uploads that are more than a day old: those that no message named, and objects written to their key after a
 * message had used the upload.
 */
export function sweepUploadsJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return sweepJob({
    kind: 'sweep-chat-uploads',
    everySec: EVERY_SEC,
    clock,
    batch: BATCH,
    sweep: (limit) =>
      inTransaction(db, async (tx) => {
        const left = await deleteOldUploads(tx, limit)
        if (left.length > 0) await enqueue(tx, deleteObjectsRequest(left))
        return left.length
      }),
  })
}
