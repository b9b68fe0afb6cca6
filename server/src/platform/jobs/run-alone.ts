import { once } from 'node:events'
import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import { settlesWithin } from '../lib/settles-within.ts'
import { beginAlone, type DueJob } from './claim-store.ts'
import type { JobRuns } from './run-leased.ts'
import { acquit, type ClaimedJob, putAside, putOffReserved } from './store.ts'

/** Jobs that end their process do so at once, or after a few seconds. */
const TRIAL_MS = 30_000
/** Grace for the jobs that run, before they are given back. */
const GRACE_MS = 12_000
/** Grace for giving jobs back. */
const GIVE_BACK_MS = 2_000

/** A worker that an isolated job needs for itself. */
interface Resting {
  db: Db
  log: Logger
  leaseSec: number
  /** Other work of this process. */
  beside?: { pause(): Promise<void>; resume(): void }
  trialMs?: number
  /** The jobs under way, until they have ended. */
  running: ReadonlyMap<ClaimedJob, Promise<void>>
  run: (claimed: ClaimedJob) => void
  /** Gives the running jobs back. */
  interrupt: () => void
  /** Aborted when the worker stops. */
  stop: AbortSignal
}

/**
 * Runs a reserved job while nothing else runs in this process (docs/lifecycles.md#job). Returns when it has ended, or has run for
 * long enough: it goes on, and others may join it.
 */
export async function runAlone(worker: Resting, reserved: DueJob): Promise<void> {
  const { db, log, leaseSec, beside, trialMs = TRIAL_MS, running, run, stop } = worker
  log.warn({ job: reserved.kind, key: reserved.key }, 'the process rests for an isolated job')
  try {
    await Promise.all([beside?.pause(), endRunning(worker, Math.min(GRACE_MS, trialMs))])
    if (stop.aborted) return
    if (running.size > 0) return await putOffReserved(db, reserved)
    const claimed = await beginAlone(db, reserved, leaseSec)
    if (claimed === undefined) return
    run(claimed)
    const ended = Promise.race([running.get(claimed), once(stop, 'abort')])
    if (!(await settlesWithin(ended, trialMs))) await acquit(db, claimed)
  } finally {
    beside?.resume()
  }
}

/** Waits for the running jobs, and gives those back that take longer. */
async function endRunning({ running, interrupt }: Resting, graceMs: number): Promise<void> {
  const all = Promise.all(running.values())
  if (await settlesWithin(all, graceMs)) return
  interrupt()
  await settlesWithin(all, GIVE_BACK_MS)
}

/** Puts a claimed job aside during which its process died repeatedly: it runs alone later, or is given up. */
export async function isolate(
  { db, log, runs }: Pick<Resting, 'db' | 'log'> & { runs?: JobRuns },
  job: DueJob,
): Promise<void> {
  const { kind, key, deaths } = job
  const isGivenUp = await putAside(db, job)
  if (isGivenUp) runs?.inc({ kind, outcome: 'discarded' })
  log.error({ job: kind, key, deaths }, isGivenUp ? 'job given up' : 'job isolated')
}
