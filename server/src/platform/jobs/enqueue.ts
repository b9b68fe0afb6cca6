import type { Query } from '../db/db.ts'
import type { JobRequest } from './job.ts'
import { upsertJobs } from './store.ts'

export {
  deleteDiscardedJob,
  deleteJobsOf,
  findProgress,
  insertJobOnce as enqueueOnce,
  isUnderWay,
  lastRunOf,
  putOff,
  retryDiscarded,
  runSoon,
  withdraw,
} from './store.ts'

/**
 * Asks for a job, inside the transaction that makes it necessary. A job with the same kind and key
 * that already waits is brought forward; one that runs is run again afterwards.
 */
export async function enqueue(tx: Query, request: JobRequest): Promise<void> {
  await upsertJobs(tx, [request])
}

/** The same for many, each under a key of its own. */
export async function enqueueAll(tx: Query, requests: readonly JobRequest[]): Promise<void> {
  if (requests.length > 0) await upsertJobs(tx, requests)
}
