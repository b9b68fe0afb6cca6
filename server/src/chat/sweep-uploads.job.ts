import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { RepeatingJob } from '../jobs/repeating-job.ts'
import { sweepJob } from '../jobs/sweep-job.ts'
import { deleteObjectsRequest } from '../storage/delete-objects.job.ts'
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
