import type { Clock } from '../lib/clock.ts'
import type { Job, JobRequest, JobRun } from './job.ts'

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
