import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import { deleteObjectsRequest } from '../storage/delete-objects.job.ts'
import { deleteOldUploads } from './attachment-store.ts'

const KIND = 'sweep-chat-uploads'
const EVERY_MS = 60 * 60 * 1000
const BATCH = 1000

/** Asked for once at every start; the job then repeats itself. */
export const sweepUploadsRequest: JobRequest = { kind: KIND, key: 'all' }

/**
 * Removes what was uploaded for the chat more than a day ago: what no message named, and what was
 * written to its place after a message took it over.
 */
export function sweepUploadsJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): Job {
  return {
    kind: KIND,
    async run() {
      const keys = await inTransaction(db, async (tx) => {
        const left = await deleteOldUploads(tx, BATCH)
        if (left.length > 0) await enqueue(tx, deleteObjectsRequest(left))
        return left
      })
      const pauseMs = keys.length === BATCH ? 0 : EVERY_MS
      return { outcome: 'again', at: new Date(clock().getTime() + pauseMs) }
    },
  }
}
