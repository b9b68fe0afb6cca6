import type { Logger } from 'pino'
import type { Db, Query } from '../db/db.ts'
import type { Clock } from '../lib/clock.ts'
import type { Job, JobRequest, JobRun } from './job.ts'
import { makeOverplannedDue } from './store.ts'

/** The result of a run. With `more`, the next run comes immediately; with `done`, after the pause. */
export type Turn = 'more' | 'done'

interface Repetition {
  kind: string
  /** Pause between two runs, in seconds. */
  everySec: number
  clock: Clock
  run: (asked: Pick<JobRun, 'signal' | 'log'>) => Promise<Turn>
}

/** A job that repeats forever once it is enqueued. */
export interface RepeatingJob extends Job {
  /** Enqueued at every start, which only brings its next run forward. */
  schedule: JobRequest
  /** The most seconds ahead that its next run is ever planned. */
  everySec: number
}

/** Periodic work that is not about one item but checks all of them. */
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
    // An outage may last long, so it is tried at least as often as it normally runs.
    retryAfterSec: (failures) => Math.min(2 ** (failures - 1), 30, everySec),
  }
}

const LOOK_EVERY_MS = 60_000
/** Processes estimate the time of the database, and may be off by a few seconds. */
const SLACK_SEC = 60

/**
 * Makes jobs due that are planned for later than their pause. While the database's clock was ahead, every next run was planned by
 * it. Without this, the checks of rooms and recordings would stop for as long as the clock was set back. Returns the kinds.
 */
export async function bringForward(
  query: Query,
  jobs: readonly Pick<RepeatingJob, 'kind' | 'everySec'>[],
): Promise<string[]> {
  const latest = jobs.map(({ kind, everySec }) => ({ kind, maxSec: everySec + SLACK_SEC }))
  return makeOverplannedDue(query, latest)
}

/** Does that once a minute. Returns a function that stops it. */
export function keepRepeating(
  { db, log }: { db: Db; log: Logger },
  jobs: readonly RepeatingJob[],
): () => void {
  async function look() {
    const kinds = await bringForward(db, jobs)
    if (kinds.length > 0) log.warn({ jobs: kinds }, 'the clock of the database was set back')
  }
  // A failed check is repeated the next time.
  const looking = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS).unref()
  return () => clearInterval(looking)
}
