import type { Deps } from '../ports/deps.ts'
import type { RepeatingJob } from './repeating-job.ts'
import { deleteDiscarded } from './store.ts'
import { sweepJob } from './sweep-job.ts'

/** Days in which an operator may look up why a job was discarded. */
const KEPT_DAYS = 30
const EVERY_SEC = 60 * 60

/** Forgets jobs that were discarded. */
export function sweepJobsJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return sweepJob({
    kind: 'sweep-jobs',
    everySec: EVERY_SEC,
    clock,
    sweep: (limit) => deleteDiscarded(db, { keptDays: KEPT_DAYS, limit }),
  })
}
