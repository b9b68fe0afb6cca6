import type { Logger } from 'pino'
import type { Db, Query } from '../db/db.ts'
import type { Clock } from '../lib/clock.ts'
import type { Job, JobRequest, JobRun } from './job.ts'
import { makeOverplannedDue } from './store.ts'

/** Whether something was left for the next run: it comes immediately, or after the pause. */
export type Turn = 'more' | 'done'

interface Repetition {
  kind: string
  /** Pause between two runs, in seconds. */
  everySec: number
  clock: Clock
  run: (asked: Pick<JobRun, 'signal' | 'log'>) => Promise<Turn>
}

/** A job that repeats without an end once it is enqueued. */
export interface RepeatingJob extends Job {
  /** Asked for at every start, which only brings its next run forward. */
  schedule: JobRequest
  /** Its next run is never planned for later than that: seconds. */
  everySec: number
}

/** Work that is not about one thing, but looks after all of them from time to time. */
export function repeatingJob({ kind, everySec, clock, run }: Repetition): RepeatingJob {
  return {
    kind,
    schedule: { kind, key: 'all' },
    everySec,
    async run(asked) {
      const turn = await run(asked)
      const pauseSec = turn === 'more' ? 0 : everySec
      return { outcome: 'again', at: new Date(clock().getTime() + pauseSec * 1000) }
    },
    // What is down may stay so for long: tried at least as often as it is done.
    retryAfterSec: (failures) => Math.min(2 ** (failures - 1), 30, everySec),
  }
}

const LOOK_EVERY_MS = 60_000
/** Processes measure the time of the database; they may be off by some. */
const SLACK_SEC = 60

/**
 * Makes due what is planned for later than its pause. While the clock of the database was fast, every next run was planned
 * by it: without this, what watches rooms and recordings would stand still for as long as the clock was set back. Answers
 * the kinds.
 */
export async function bringForward(
  query: Query,
  jobs: readonly Pick<RepeatingJob, 'kind' | 'everySec'>[],
): Promise<string[]> {
  const latest = jobs.map(({ kind, everySec }) => ({ kind, maxSec: everySec + SLACK_SEC }))
  return makeOverplannedDue(query, latest)
}

/** Does that once a minute. Answers how to stop it. */
export function keepRepeating(
  { db, log }: { db: Db; log: Logger },
  jobs: readonly RepeatingJob[],
): () => void {
  async function look() {
    const kinds = await bringForward(db, jobs)
    if (kinds.length > 0) log.warn({ jobs: kinds }, 'the clock of the database was set back')
  }
  // What fails is retried the next time.
  const looking = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS).unref()
  return () => clearInterval(looking)
}
