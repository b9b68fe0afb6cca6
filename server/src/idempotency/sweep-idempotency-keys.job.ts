import type { Deps } from '../deps.ts'
import { type RepeatingJob, repeatingJob } from '../jobs/repeating-job.ts'
import { deleteOldKeys } from './store.ts'

const EVERY_SEC = 15 * 60

/** Forgets answers whose time is over. */
export function sweepIdempotencyKeysJob({
  db,
  clock,
  config,
}: Pick<Deps, 'db' | 'clock' | 'config'>): RepeatingJob {
  return repeatingJob({
    kind: 'sweep-idempotency-keys',
    everySec: EVERY_SEC,
    clock,
    async run() {
      await deleteOldKeys(db, config.idempotencyRetentionSec)
      return 'done'
    },
  })
}
