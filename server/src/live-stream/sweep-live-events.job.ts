import type { Deps } from '../deps.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import { deleteOldEvents } from './store.ts'

const KIND = 'sweep-live-events'
/** Longer than any slot with its margins: nobody comes back to a room after that. */
const KEEP_MS = 48 * 60 * 60 * 1000
const EVERY_MS = 60 * 60 * 1000

/** Asked for once at every start; the job then repeats itself. */
export const sweepLiveEventsRequest: JobRequest = { kind: KIND, key: 'all' }

/** Removes what was told in rooms that are long over. */
export function sweepLiveEventsJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): Job {
  return {
    kind: KIND,
    async run() {
      const nowMs = clock().getTime()
      await deleteOldEvents(db, new Date(nowMs - KEEP_MS))
      return { outcome: 'again', at: new Date(nowMs + EVERY_MS) }
    },
  }
}
