import type { Query } from '../../platform/db/db.ts'
import { enqueueAll, lastRunOf } from '../../platform/jobs/enqueue.ts'
import { type RepeatingJob, repeatingJob } from '../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { RECONCILE_ROOMS, reconcileRoomsRequests } from './reconcile-rooms.job.ts'
import { listWatchedRooms } from './store.ts'

const KIND = 'reconcile-attendance'

/**
 * Compares attendance with the provider's lists: notifications are hints, the lists are the truth. This job only splits the
 * rooms into shares, which the workers of all processes take.
 */
export function reconcileJob({
  db,
  clock,
  config,
}: Pick<Deps, 'db' | 'clock' | 'config'>): RepeatingJob {
  return repeatingJob({
    kind: KIND,
    everySec: config.reconcileEverySec,
    clock,
    async run() {
      const roomIds = await listWatchedRooms(db, clock())
      await enqueueAll(db, reconcileRoomsRequests(roomIds))
      return 'done'
    },
  })
}

/**
 * Every room that was due at this time has been compared since; undefined before the first pass. It lags a few seconds more
 * than the pause between passes, unless the provider or the workers are slow.
 */
export async function lastReconciledAt(query: Query): Promise<Date | undefined> {
  return lastRunOf(query, { repeating: KIND, parts: RECONCILE_ROOMS })
}
