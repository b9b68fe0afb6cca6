import type { RepeatingJob } from '../../platform/jobs/repeating-job.ts'
import { sweepJob } from '../../platform/jobs/sweep-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteOldEvents } from './live-event-store.ts'

/** Longer than any slot with its margins: no page resumes after that. */
const KEEP_MS = 48 * 60 * 60 * 1000
const EVERY_SEC = 60 * 60

/** Deletes the live events of rooms that ended long ago. */
export function sweepLiveEventsJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return sweepJob({
    kind: 'sweep-live-events',
    everySec: EVERY_SEC,
    clock,
    sweep: (limit) => deleteOldEvents(db, { before: new Date(clock().getTime() - KEEP_MS), limit }),
  })
}
