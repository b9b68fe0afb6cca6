import type { Deps } from '../deps.ts'
import type { RepeatingJob } from '../jobs/repeating-job.ts'
import { sweepJob } from '../jobs/sweep-job.ts'
import { deleteOldAccesses } from './log-downloads.ts'

const EVERY_SEC = 60 * 60

/** Forgets which addresses were issued, where the operator has set for how long that is kept. */
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
