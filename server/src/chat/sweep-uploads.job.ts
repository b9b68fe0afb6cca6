import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { type RepeatingJob, repeatingJob } from '../jobs/repeating-job.ts'
import { deleteObjectsRequest } from '../storage/delete-objects.job.ts'
import { deleteOldUploads } from './attachment-store.ts'

const EVERY_SEC = 60 * 60
const BATCH = 1000

/**
 * Removes what was uploaded for the chat more than a day ago: what no message named, and what was
 * written to its place after a message took it over.
 */
export function sweepUploadsJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return repeatingJob({
    kind: 'sweep-chat-uploads',
    everySec: EVERY_SEC,
    clock,
    async run() {
      const keys = await inTransaction(db, async (tx) => {
        const left = await deleteOldUploads(tx, BATCH)
        if (left.length > 0) await enqueue(tx, deleteObjectsRequest(left))
        return left
      })
      return keys.length === BATCH ? 'more' : 'done'
    },
  })
}
