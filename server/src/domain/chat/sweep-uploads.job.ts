import { inTransaction } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { RepeatingJob } from '../../platform/jobs/repeating-job.ts'
import { sweepJob } from '../../platform/jobs/sweep-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteObjectsRequest } from '../../platform/storage/delete-objects.job.ts'
import { deleteOldUploads } from './attachment-store.ts'

const EVERY_SEC = 60 * 60
/** Objects of one order to delete them. */
const BATCH = 1000

/**
 * Removes what was uploaded for the chat more than a day ago: what no message named, and what was
 * written to its place after a message took it over.
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
