import type { Deps } from '../deps.ts'
import { type RepeatingJob, repeatingJob } from '../jobs/repeating-job.ts'
import { deleteOldTombstones } from './store.ts'

/** A browser repeats a message while its room is open; nobody repeats one for that long. */
const KEPT_DAYS = 30
const EVERY_SEC = 60 * 60
const BATCH = 10_000

/** Forgets which messages were purged, long after their senders could repeat them. */
export function sweepTombstonesJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return repeatingJob({
    kind: 'sweep-chat-tombstones',
    everySec: EVERY_SEC,
    clock,
    async run() {
      const count = await deleteOldTombstones(db, { keptDays: KEPT_DAYS, limit: BATCH })
      return count === BATCH ? 'more' : 'done'
    },
  })
}
