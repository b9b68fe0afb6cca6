import type { Clock } from '../lib/clock.ts'
import type { Job, JobRequest, JobRun } from './job.ts'

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
}

/** Work that is not about one thing, but looks after all of them from time to time. */
export function repeatingJob({ kind, everySec, clock, run }: Repetition): RepeatingJob {
  return {
    kind,
    schedule: { kind, key: 'all' },
    async run(asked) {
      const turn = await run(asked)
      const pauseSec = turn === 'more' ? 0 : everySec
      return { outcome: 'again', at: new Date(clock().getTime() + pauseSec * 1000) }
    },
    // What is down may stay so for long: tried at least as often as it is done.
    retryAfterSec: (failures) => Math.min(2 ** (failures - 1), 30, everySec),
  }
}
