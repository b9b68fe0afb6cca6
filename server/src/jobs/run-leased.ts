import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import type { Job } from './job.ts'
import { type ClaimedJob, discardJob, extendLease, finishJob, rearmJob } from './store.ts'

/** So often a job's lease is extended while it lasts. */
const HEARTBEATS = 3
const BACKOFF_MAX_SEC = 30

export interface LeasedRun {
  db: Db
  log: Logger
  job: Job | undefined
  claimed: ClaimedJob
  leaseSec: number
  /** Aborted when the worker stops. */
  stop: AbortSignal
}

/** Runs a claimed job once, keeps its lease meanwhile and writes down what became of it. */
export async function runLeased({
  db,
  log,
  job,
  claimed,
  leaseSec,
  stop,
}: LeasedRun): Promise<void> {
  if (job === undefined) return
  const lost = new AbortController()
  const heartbeat = setInterval(
    () => {
      extendLease(db, claimed, leaseSec).then(
        (isOurs) => isOurs || lost.abort(),
        (error: unknown) => log.warn({ err: error, job: claimed.kind }, 'lease not extended'),
      )
    },
    (leaseSec / HEARTBEATS) * 1000,
  )
  const signal = AbortSignal.any([stop, lost.signal])
  try {
    await runOnce({ db, log, job, claimed }, signal)
  } catch (error) {
    // What became of the job could not be written down; the lease returns it.
    log.warn({ err: error, job: claimed.kind }, 'end of a job not recorded')
  } finally {
    clearInterval(heartbeat)
  }
}

type Run = Pick<LeasedRun, 'db' | 'log' | 'claimed'> & { job: Job }

async function runOnce(run: Run, signal: AbortSignal): Promise<void> {
  const { db, log, job, claimed } = run
  const { key, payload, attempt } = claimed
  try {
    const ended = await job.run({ key, payload, attempt, signal, log })
    if (ended.outcome === 'done') await finishJob(db, claimed)
    else if (ended.outcome === 'again') await rearmJob(db, claimed, { at: ended.at, error: null })
    else await discardJob(db, claimed, ended.reason)
  } catch (error) {
    await recordFailure(run, error)
  }
}

async function recordFailure({ db, log, job, claimed }: Run, error: unknown): Promise<void> {
  const { kind, attempt } = claimed
  const retryAfterSec = job.retryAfterSec ?? backoffSec
  const pauseSec = retryAfterSec(attempt)
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  log.warn({ err: error, job: kind, attempt }, 'job failed')
  if (pauseSec === undefined) return discardJob(db, claimed, reason)
  return rearmJob(db, claimed, { at: new Date(Date.now() + pauseSec * 1000), error: reason })
}

function backoffSec(failures: number): number {
  return Math.min(2 ** (failures - 1), BACKOFF_MAX_SEC)
}
