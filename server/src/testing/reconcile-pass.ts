import { reconcileJob } from '../entries/reconcile.job.ts'
import { type ReconcileDeps, reconcileRoomsJob } from '../entries/reconcile-rooms.job.ts'
import type { Job } from '../jobs/job.ts'
import { runJobs } from './run-jobs.ts'

/** A whole pass of the reconciler in one job, as several workers do it together. */
export function reconcilePass(deps: ReconcileDeps & Parameters<typeof reconcileJob>[0]): Job {
  const lister = reconcileJob(deps)
  return {
    ...lister,
    async run(asked) {
      const outcome = await lister.run(asked)
      await runJobs(deps.db, reconcileRoomsJob(deps))
      return outcome
    },
  }
}
