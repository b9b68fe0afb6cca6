import type { Deps } from '../deps.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import { deleteOldTombstones } from './store.ts'

const KIND = 'sweep-chat-tombstones'
/** A browser repeats a message while its room is open; nobody repeats one for that long. */
const KEPT_DAYS = 30
const EVERY_MS = 60 * 60 * 1000
const BATCH = 10_000

/** Asked for once at every start; the job then repeats itself. */
export const sweepTombstonesRequest: JobRequest = { kind: KIND, key: 'all' }

/** Forgets which messages were purged, long after their senders could repeat them. */
export function sweepTombstonesJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): Job {
  return {
    kind: KIND,
    async run() {
      const count = await deleteOldTombstones(db, { keptDays: KEPT_DAYS, limit: BATCH })
      const pauseMs = count === BATCH ? 0 : EVERY_MS
      return { outcome: 'again', at: new Date(clock().getTime() + pauseMs) }
    },
  }
}
