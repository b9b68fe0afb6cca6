import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import { onceAvailable } from '../db/once-available.ts'
import { runInContext } from '../lib/trace.ts'
import { inSpan, NO_TRACER, type Tracer } from '../ports/tracer.ts'
import type { Job } from './job.ts'
import {
  type ClaimedJob,
  discardJob,
  extendLease,
  finishJob,
  rearmJob,
  releaseJob,
} from './store.ts'

/** Extensions of a job's lease within the time of one lease. */
const HEARTBEATS = 3
const BACKOFF_MAX_SEC = 30

type Outcome = 'done' | 'again' | 'discarded' | 'failed'

/** Counts runs. A counter of prom-client fits. */
export interface JobRuns {
  inc(labels: { kind: string; outcome: Outcome }): void
}

export interface LeasedRun {
  db: Db
  log: Logger
  runs?: JobRuns | undefined
  tracer?: Tracer | undefined
  job: Job | undefined
  claimed: ClaimedJob
  leaseSec: number
  /** Aborted when the worker stops, or needs the process for an isolated job. */
  stop: AbortSignal
}

/** Runs a claimed job once, keeps its lease meanwhile and stores the result. */
export async function runLeased({
  db,
  log,
  runs,
  tracer = NO_TRACER,
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
        (isOurs) => isOurs || lost.abort(new Error('the lease of the job ran out')),
        (error: unknown) => log.warn({ err: error, job: claimed.kind }, 'lease extension failed'),
      )
    },
    (leaseSec / HEARTBEATS) * 1000,
  )
  const signal = AbortSignal.any([stop, lost.signal])
  try {
    const store = (result: () => Promise<void>) => onceAvailable(result, signal)
    const run = { db, log, job, claimed, stop, lost: lost.signal, store }
    const outcome = await runTraced(tracer, claimed, () => runOnce(run, signal))
    runs?.inc({ kind: claimed.kind, outcome })
  } catch (error) {
    // The result of the job could not be stored before the worker stopped, or lost the lease. The job is due again when its lease ends.
    log.warn({ err: error, job: claimed.kind }, 'storing the result of a job failed')
  } finally {
    clearInterval(heartbeat)
  }
}

/** Runs the job as part of the trace in which it was requested. */
function runTraced(
  tracer: Tracer,
  { kind, attempt, traceContext }: ClaimedJob,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const attributes = { 'interview_room.job.kind': kind, 'interview_room.job.attempt': attempt }
  const named = { name: `job ${kind}`, kind: 'consumer', attributes } as const
  return runInContext(traceContext, () =>
    inSpan(tracer, named, async (span) => {
      const outcome = await run()
      span?.describe({ 'interview_room.job.outcome': outcome })
      if (outcome === 'failed' || outcome === 'discarded') span?.fail(outcome)
      return outcome
    }),
  )
}

interface Run extends Pick<LeasedRun, 'db' | 'log' | 'claimed' | 'stop'> {
  job: Job
  /** Aborted when another worker may have the job. */
  lost: AbortSignal
  /** Stores the result, once the database is back if it is away. */
  store: (result: () => Promise<void>) => Promise<void>
}

/** Runs it and stores the result. */
async function runOnce(run: Run, signal: AbortSignal): Promise<Outcome> {
  const { db, log, job, claimed, store } = run
  const { key, payload, attempt } = claimed
  try {
    const ended = await job.run({ key, payload, attempt, signal, log })
    if (ended.outcome === 'discard') return await discard(run, ended.reason)
    if (ended.outcome === 'done') await store(() => finishJob(db, claimed))
    else await store(() => rearmJob(db, claimed, { due: ended.at, error: null }))
    return ended.outcome
  } catch (error) {
    // Without its lease, the job is no longer ours to give back.
    if (isEndedBy(run.lost, error)) return leaveToAnother(run)
    return isEndedBy(run.stop, error) ? giveBack(run) : recordFailure(run, error)
  }
}

function isEndedBy({ aborted, reason }: AbortSignal, error: unknown): boolean {
  return aborted && (error === reason || (error instanceof Error && error.name === 'AbortError'))
}

/** Expected whenever a process stops or isolates a job: it is no failure, and another worker may have the job without a pause. */
async function giveBack({ db, log, claimed }: Run): Promise<Outcome> {
  await releaseJob(db, claimed)
  log.info({ job: claimed.kind }, 'job interrupted: another worker takes it over')
  return 'again'
}

function leaveToAnother({ log, claimed }: Run): Outcome {
  const { kind, attempt } = claimed
  log.warn({ job: kind, attempt }, 'job ended: its lease ran out, and another worker takes it over')
  return 'again'
}

async function discard({ db, log, claimed, store }: Run, reason: string): Promise<Outcome> {
  await store(() => discardJob(db, claimed, reason))
  log.error({ job: claimed.kind, key: claimed.key }, 'job given up')
  return 'discarded'
}

async function recordFailure(run: Run, error: unknown): Promise<Outcome> {
  const { db, log, job, claimed, store } = run
  const { kind, key, attempt } = claimed
  const retryAfterSec = job.retryAfterSec ?? backoffSec
  const pauseSec = retryAfterSec(attempt, key)
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  log.warn({ err: error, job: kind, attempt }, 'job failed')
  if (pauseSec === undefined) return discard(run, reason)
  await store(() => rearmJob(db, claimed, { due: pauseSec, error: reason }))
  return 'failed'
}

/** The pause of jobs without pauses of their own. */
export function backoffSec(failures: number): number {
  return Math.min(2 ** (failures - 1), BACKOFF_MAX_SEC)
}
