import { type ReconcileDeps, reconcileRoomsJob } from '../domain/room-end/reconcile-rooms.job.ts'
import { reconcileJob } from '../domain/room-end/reconcile.job.ts'
import type { Job } from '../platform/jobs/job.ts'
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
