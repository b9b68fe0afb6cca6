import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import { settlesWithin } from '../lib/settles-within.ts'
import type { Tracer } from '../ports/tracer.ts'
import { claimUntilStopped } from './claim-loop.ts'
import { claimJobs, type DueJob, type FreePlaces, releaseClaims } from './claim-store.ts'
import type { Job } from './job.ts'
import { isolate, runAlone } from './run-alone.ts'
import type { JobRuns } from './run-leased.ts'
import { runLeased } from './run-leased.ts'
import { type ClaimedJob, ISOLATED_FROM, JOBS_CHANNEL, releaseJob } from './store.ts'
import { listenFor } from './wake-up.ts'

/** Jobs that share places. */
export interface JobQueue {
  jobs: readonly Job[]
  /** The most jobs of the queue that run side by side in this process. */
  concurrency: number
  /** Makes tenants take turns, so that no tenant waits for all orders of another one. */
  areInTurns?: boolean
}

export interface WorkerOptions {
  db: Db
  /** Every kind of job belongs to one queue. */
  queues: readonly JobQueue[]
  /** Duration of a job's lease. After it, another process may take the job of a dead one. */
  leaseSec: number
  log: Logger
  /** Counts runs by kind and outcome. */
  runs?: JobRuns
  /** Records a span for each run. */
  tracer?: Tracer
  /** Other work of this process, which rests while an isolated job runs alone. */
  beside?: { pause(): Promise<void>; resume(): void }
  /** An isolated job has the process to itself for this long; 30 s by default. */
  trialMs?: number
}

export interface Worker {
  /**
   * Claims no more jobs, waits up to 12 s for the running ones and gives the rest back. Takes at most 16 s, whatever the database
   * does: jobs that could not be given back are due when their leases end.
   */
  stop(): Promise<void>
}

/** Grace for running jobs. */
const STOP_MS = 12_000
/** Grace for a statement under way, and for giving jobs back. */
const STATEMENT_MS = 2_000

/**
 * Claims and runs due jobs until stopped, those of all queues in one statement. Any number of processes may do so on one database.
 */
export function startWorker(options: WorkerOptions): Worker {
  const { db, leaseSec, log, runs, tracer } = options
  const queues = options.queues.map(openQueue)
  const running = new Map<ClaimedJob, Promise<void>>()
  const stopping = new AbortController()
  const stop = stopping.signal
  let interrupting = new AbortController()
  const hints = listenFor(db, JOBS_CHANNEL)
  const claim = createClaim(db, leaseSec)

  function run(claimed: ClaimedJob): void {
    const queue = queues.find(({ byKind }) => byKind.has(claimed.kind))
    if (queue === undefined) return
    queue.running += 1
    const job = queue.byKind.get(claimed.kind)
    const ending = AbortSignal.any([stop, interrupting.signal])
    const leased = { db, log, runs, tracer, job, claimed, leaseSec, stop: ending }
    const ended = runLeased(leased).finally(() => {
      running.delete(claimed)
      queue.running -= 1
      hints.now()
    })
    running.set(claimed, ended)
  }

  /** Gives back the jobs that run now. */
  function interrupt(): void {
    interrupting.abort(new Error('an isolated job needs the process'))
    interrupting = new AbortController()
  }

  /** Claims for every free place at once, so anything left over has no place yet. */
  async function fill(): Promise<boolean> {
    const claimed = await claim(queues.map(freePlacesOf))
    const reserved = claimed.find(({ isReserved }) => isReserved)
    for (const each of claimed) {
      if (each.deaths < ISOLATED_FROM) run(each)
      else if (each !== reserved) await isolate(options, each)
    }
    if (reserved !== undefined)
      await runAlone({ ...options, running, run, interrupt, stop }, reserved)
    return false
  }

  const looping = claimUntilStopped({
    stop,
    hints,
    isFull: () => queues.every((queue) => freePlacesOf(queue).free === 0),
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

/** Claims jobs for these places. What a claim took whose answer was lost is given back before the next claim. */
function createClaim(db: Db, leaseSec: number) {
  const unanswered = new Set<string>()
  return async (places: readonly FreePlaces[]): Promise<DueJob[]> => {
    if (unanswered.size > 0) await releaseClaims(db, [...unanswered])
    unanswered.clear()
    const leaseToken = randomUUID()
    unanswered.add(leaseToken)
    const claimed = await claimJobs(db, { places, leaseSec, leaseToken })
    unanswered.delete(leaseToken)
    return claimed
  }
}

interface OpenQueue {
  byKind: ReadonlyMap<string, Job>
  concurrency: number
  areInTurns: boolean
  running: number
}

function openQueue({ jobs, concurrency, areInTurns = false }: JobQueue): OpenQueue {
  const byKind = new Map(jobs.map((job) => [job.kind, job]))
  return { byKind, concurrency, areInTurns, running: 0 }
}

function freePlacesOf({ byKind, concurrency, areInTurns, running }: OpenQueue): FreePlaces {
  return { kinds: [...byKind.keys()], free: concurrency - running, areInTurns }
}
