import type { RepeatingJob } from '../../platform/jobs/repeating-job.ts'
import { sweepJob } from '../../platform/jobs/sweep-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteOldTombstones } from './store.ts'

/** A browser repeats a message only while its room is open, which is much shorter. */
const KEPT_DAYS = 30
const EVERY_SEC = 60 * 60

/** Deletes the tombstones of purged messages, long after their senders could repeat them. */
export function sweepTombstonesJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return sweepJob({
    kind: 'sweep-chat-tombstones',
    everySec: EVERY_SEC,
    clock,
    sweep: (limit) => deleteOldTombstones(db, { keptDays: KEPT_DAYS, limit }),
  })
}
