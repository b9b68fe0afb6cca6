import type { Deps } from '../deps.ts'
import { type RepeatingJob, repeatingJob } from '../jobs/repeating-job.ts'
import { deleteOldEvents } from './store.ts'

/** Longer than any slot with its margins: nobody comes back to a room after that. */
const KEEP_MS = 48 * 60 * 60 * 1000
const EVERY_SEC = 60 * 60

/** Removes what was told in rooms that are long over. */
export function sweepLiveEventsJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return repeatingJob({
    kind: 'sweep-live-events',
    everySec: EVERY_SEC,
    clock,
    async run() {
      await deleteOldEvents(db, new Date(clock().getTime() - KEEP_MS))
      return 'done'
    },
  })
}
