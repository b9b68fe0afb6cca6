import type { RepeatingJob } from '../../platform/jobs/repeating-job.ts'
import { sweepJob } from '../../platform/jobs/sweep-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteOldNotifications } from './store.ts'

const KEPT_MS = 7 * 24 * 60 * 60 * 1000
const EVERY_SEC = 60 * 60

/** Deletes applied notifications after a week. Until then they show what the provider sent. */
export function sweepNotificationsJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return sweepJob({
    kind: 'sweep-notifications',
    everySec: EVERY_SEC,
    clock,
    sweep: (limit) =>
      deleteOldNotifications(db, { before: new Date(clock().getTime() - KEPT_MS), limit }),
  })
}
