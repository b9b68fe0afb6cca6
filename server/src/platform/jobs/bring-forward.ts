import type { Query } from '../db/db.ts'
import type { Job } from './job.ts'
import type { RepeatingJob } from './repeating-job.ts'
import { backoffSec } from './run-leased.ts'
import { endOverlongLeases, makeOverplannedDue } from './store.ts'

/** Processes estimate the time of the database, and may be off by a few seconds. */
const SLACK_SEC = 60
/** Pauses grow no more after this many failures. */
const FAILURES_MAX = 20

/**
 * Makes jobs due that are planned for later than their own pause allows: the one of a repeating job, or the one after as many
 * failures. While the database's clock was ahead, every next run was planned by it, and so was the end of every lease. Without
 * this, such jobs would wait for as long as the clock was set back. Returns their kinds.
 */
export async function bringJobsForward(
  query: Query,
  { jobs, leaseSec }: { jobs: readonly (Job | RepeatingJob)[]; leaseSec: number },
): Promise<string[]> {
  const latest = jobs.map((job) => ({
    kind: job.kind,
    repeatsWithinSec: 'everySec' in job ? job.everySec + SLACK_SEC : null,
    retriesWithinSec: Array.from({ length: FAILURES_MAX }, (_, n) => pauseSec(job, n + 1)),
  }))
  const kinds = await makeOverplannedDue(query, latest)
  const leased = await endOverlongLeases(query, { leaseSec, maxSec: leaseSec + SLACK_SEC })
  return [...new Set([...kinds, ...leased])]
}

/** The longest one after this many failures. Postponed items of a sweep have another key, and other pauses. */
function pauseSec({ retryAfterSec = backoffSec }: Job, failures: number): number {
  const pauses = ['all', 'item'].map((key) => retryAfterSec(failures, key) ?? 0)
  return Math.max(...pauses) + SLACK_SEC
}
