import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import { settlesWithin } from '../lib/settles-within.ts'
import type { Tracer } from '../ports/tracer.ts'
import { claimUntilStopped } from './claim-loop.ts'
import type { Job } from './job.ts'
import type { JobRuns } from './run-leased.ts'
import { runLeased } from './run-leased.ts'
import { type ClaimedJob, claimJobs, JOBS_CHANNEL, releaseJob } from './store.ts'
import { listenFor } from './wake-up.ts'

export interface WorkerOptions {
  db: Db
  jobs: readonly Job[]
  /** Jobs that run side by side in this process. */
  concurrency: number
  /** For how long a job is taken at a time: after that another process may take the job of a dead one. */
  leaseSec: number
  log: Logger
  /** Counts runs by kind and by how they ended. */
  runs?: JobRuns
  /** Gets a span of each run. */
  tracer?: Tracer
}

export interface Worker {
  /**
   * Takes no more jobs, waits up to 12 s for the running ones and gives back what is left. Takes at
   * most 16 s, whatever the database does: what could not be given back, the leases return.
   */
  stop(): Promise<void>
}

/** For running jobs. */
const STOP_MS = 12_000
/** For a statement under way, and for giving back. */
const STATEMENT_MS = 2_000

/** Claims and runs due jobs until stopped. Any number of processes may do so on one database. */
export function startWorker(options: WorkerOptions): Worker {
  const { db, jobs, concurrency, leaseSec, log, runs, tracer } = options
  const byKind = new Map(jobs.map((job) => [job.kind, job]))
  const kinds = [...byKind.keys()]
  const running = new Map<ClaimedJob, Promise<void>>()
  const stopping = new AbortController()
  const stop = stopping.signal
  const hints = listenFor(db, JOBS_CHANNEL)

  async function fill(): Promise<number> {
    const claimed = await claimJobs(db, { kinds, limit: concurrency - running.size, leaseSec })
    for (const job of claimed) {
      const leased = {
        db,
        log,
        runs,
        tracer,
        job: byKind.get(job.kind),
        claimed: job,
        leaseSec,
        stop,
      }
      const run = runLeased(leased).finally(() => {
        running.delete(job)
        hints.now()
      })
      running.set(job, run)
    }
    return claimed.length
  }

  const looping = claimUntilStopped({
    stop,
    hints,
    isFull: () => running.size >= concurrency,
    claim: fill,
    failure: 'claiming jobs failed',
    log,
  })
  return {
    async stop() {
      stopping.abort()
      hints.stop()
      await settlesWithin(looping, STATEMENT_MS)
      await settlesWithin(Promise.all(running.values()), STOP_MS)
      const released = [...running.keys()].map((job) => releaseJob(db, job))
      await settlesWithin(Promise.allSettled(released), STATEMENT_MS)
    },
  }
}
