import type { RepeatingJob } from '../../platform/jobs/repeating-job.ts'
import { sweepJob } from '../../platform/jobs/sweep-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteOldKeys } from './store.ts'

const EVERY_SEC = 60

/** Forgets answers whose time is over. */
export function sweepIdempotencyKeysJob({
  db,
  clock,
  config,
}: Pick<Deps, 'db' | 'clock' | 'config'>): RepeatingJob {
  const retentionSec = config.idempotencyRetentionSec
  return sweepJob({
    kind: 'sweep-idempotency-keys',
    everySec: EVERY_SEC,
    clock,
    sweep: (limit) => deleteOldKeys(db, { retentionSec, limit }),
  })
}
