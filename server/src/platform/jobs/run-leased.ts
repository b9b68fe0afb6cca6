import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
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

/** So often a job's lease is extended while it lasts. */
const HEARTBEATS = 3
const BACKOFF_MAX_SEC = 30

type Outcome = 'done' | 'again' | 'discarded' | 'failed'

/** Counts runs; a counter of prom-client is one. */
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
  /** Aborted when the worker stops. */
  stop: AbortSignal
}

/** Runs a claimed job once, keeps its lease meanwhile and writes down what became of it. */
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
    const run = { db, log, job, claimed, stop, lost: lost.signal }
    const outcome = await runTraced(tracer, claimed, () => runOnce(run, signal))
    runs?.inc({ kind: claimed.kind, outcome })
  } catch (error) {
    // What became of the job could not be written down; the lease returns it.
    log.warn({ err: error, job: claimed.kind }, 'storing the result of a job failed')
  } finally {
    clearInterval(heartbeat)
  }
}

/** As a part of the trace under which the job was asked for. */
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
}

/** Runs it and writes down what became of it. */
async function runOnce(run: Run, signal: AbortSignal): Promise<Outcome> {
  const { db, log, job, claimed } = run
  const { key, payload, attempt } = claimed
  try {
    const ended = await job.run({ key, payload, attempt, signal, log })
    if (ended.outcome === 'discard') return await discard(run, ended.reason)
    if (ended.outcome === 'done') await finishJob(db, claimed)
    else await rearmJob(db, claimed, { due: ended.at, error: null })
    return ended.outcome
  } catch (error) {
    // Without its lease there is nothing to give back.
    if (isEndedBy(run.lost, error)) return leaveToAnother(run)
    return isEndedBy(run.stop, error) ? giveBack(run) : recordFailure(run, error)
  }
}

function isEndedBy({ aborted, reason }: AbortSignal, error: unknown): boolean {
  return aborted && (error === reason || (error instanceof Error && error.name === 'AbortError'))
}

/** Expected whenever a process stops: no failure, and no pause before another worker has it. */
async function giveBack({ db, log, claimed }: Run): Promise<Outcome> {
  await releaseJob(db, claimed)
  log.info({ job: claimed.kind }, 'job interrupted by the stop: another worker takes it over')
  return 'again'
}

function leaveToAnother({ log, claimed }: Run): Outcome {
  const { kind, attempt } = claimed
  log.warn({ job: kind, attempt }, 'job ended: its lease ran out, and another worker takes it over')
  return 'again'
}

async function discard({ db, log, claimed }: Run, reason: string): Promise<Outcome> {
  await discardJob(db, claimed, reason)
  log.error({ job: claimed.kind, key: claimed.key }, 'job given up')
  return 'discarded'
}

async function recordFailure(run: Run, error: unknown): Promise<Outcome> {
  const { db, log, job, claimed } = run
  const { kind, key, attempt } = claimed
  const retryAfterSec = job.retryAfterSec ?? backoffSec
  const pauseSec = retryAfterSec(attempt, key)
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  log.warn({ err: error, job: kind, attempt }, 'job failed')
  if (pauseSec === undefined) return discard(run, reason)
  await rearmJob(db, claimed, { due: pauseSec, error: reason })
  return 'failed'
}

function backoffSec(failures: number): number {
  return Math.min(2 ** (failures - 1), BACKOFF_MAX_SEC)
}
