import type { RepeatingJob } from '../../../platform/jobs/repeating-job.ts'
import { sweepJob } from '../../../platform/jobs/sweep-job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { deleteOldAccesses } from './access-log-store.ts'

const EVERY_SEC = 60 * 60

/** Deletes old rows of the access log, if the operator has set how long they are kept. */
export function sweepAccessLogJob({
  db,
  clock,
  config,
}: Pick<Deps, 'db' | 'clock' | 'config'>): RepeatingJob {
  const keptDays = config.accessLogRetentionDays
  return sweepJob({
    kind: 'sweep-access-log',
    everySec: EVERY_SEC,
    clock,
    sweep: async (limit) =>
      keptDays === undefined ? 0 : deleteOldAccesses(db, { keptDays, limit }),
  })
}
