import type { Deps } from '../deps.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import { deleteOldNotifications } from './store.ts'

const KIND = 'sweep-notifications'
const KEPT_MS = 7 * 24 * 60 * 60 * 1000
const EVERY_MS = 60 * 60 * 1000
const BATCH = 10_000

export const sweepNotificationsRequest: JobRequest = { kind: KIND, key: 'all' }

/** Applied notifications are kept for a week, for whoever asks what the provider told us. */
export function sweepNotificationsJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): Job {
  return {
    kind: KIND,
    async run() {
      const nowMs = clock().getTime()
      await deleteOldNotifications(db, { before: new Date(nowMs - KEPT_MS), limit: BATCH })
      return { outcome: 'again', at: new Date(nowMs + EVERY_MS) }
    },
  }
}
