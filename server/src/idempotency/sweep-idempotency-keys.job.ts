import type { Deps } from '../deps.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import { deleteOldKeys } from './store.ts'

const KIND = 'sweep-idempotency-keys'
const EVERY_SEC = 15 * 60

/** Asked for once at every start; the job then repeats itself. */
export const sweepIdempotencyKeysRequest: JobRequest = { kind: KIND, key: 'all' }

/** Forgets answers whose time is over. */
export function sweepIdempotencyKeysJob({
  db,
  clock,
  config,
}: Pick<Deps, 'db' | 'clock' | 'config'>): Job {
  return {
    kind: KIND,
    async run() {
      await deleteOldKeys(db, config.idempotencyRetentionSec)
      return { outcome: 'again', at: new Date(clock().getTime() + EVERY_SEC * 1000) }
    },
  }
}
