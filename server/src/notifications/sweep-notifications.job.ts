import type { Deps } from '../deps.ts'
import { type RepeatingJob, repeatingJob } from '../jobs/repeating-job.ts'
import { deleteOldNotifications } from './store.ts'

const KEPT_MS = 7 * 24 * 60 * 60 * 1000
const EVERY_SEC = 60 * 60
const BATCH = 10_000

/** Applied notifications are kept for a week, for whoever asks what the provider told us. */
export function sweepNotificationsJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return repeatingJob({
    kind: 'sweep-notifications',
    everySec: EVERY_SEC,
    clock,
    async run() {
      const before = new Date(clock().getTime() - KEPT_MS)
      await deleteOldNotifications(db, { before, limit: BATCH })
      return 'done'
    },
  })
}
