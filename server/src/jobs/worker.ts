import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import type { Job } from './job.ts'
import {
  type ClaimedJob,
  claimJobs,
  discardJob,
  extendLease,
  finishJob,
  LEASE_SEC,
  rearmJob,
  releaseJob,
} from './store.ts'
import { listenFor } from './wake-up.ts'

export interface WorkerOptions {
  db: Db
  jobs: readonly Job[]
  /** Jobs that run side by side in this process. */
  concurrency: number
  log: Logger
}

export interface Worker {
  /** Takes no more jobs, waits up to 15 s for the running ones and gives back what is left. */
  stop(): Promise<void>
}

const POLL_MS = 1_000
const HEARTBEAT_MS = (LEASE_SEC / 3) * 1000
const STOP_MS = 15_000
const BACKOFF_MAX_SEC = 30

/** Claims and runs due jobs until stopped. Any number of processes may do so on one database. */
export function startWorker({ db, jobs, concurrency, log }: WorkerOptions): Worker {
  const byKind = new Map(jobs.map((job) => [job.kind, job]))
  const kinds = [...byKind.keys()]
  const running = new Map<ClaimedJob, Promise<void>>()
  const stopping = new AbortController()
  const hints = listenFor(db, 'jobs', log)

  async function fill(): Promise<number> {
    const claimed = await claimJobs(db, { kinds, limit: concurrency - running.size })
    for (const job of claimed) {
      const run = runJob(job).finally(() => {
        running.delete(job)
        hints.now()
      })
      running.set(job, run)
    }
    return claimed.length
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isFull = running.size >= concurrency
      const claimed = isFull
        ? 0
        : await fill().catch((error: unknown) => {
            log.warn({ err: error }, 'jobs cannot be claimed')
            return 0
          })
      if (claimed === 0) await hints.wait(POLL_MS)
    }
  }

  async function runJob(claimed: ClaimedJob): Promise<void> {
    const job = byKind.get(claimed.kind)
    if (job === undefined) return
    const lost = new AbortController()
    const heartbeat = setInterval(() => {
      extendLease(db, claimed).then(
        (isOurs) => isOurs || lost.abort(),
        (error: unknown) => log.warn({ err: error, job: claimed.kind }, 'lease not extended'),
      )
    }, HEARTBEAT_MS)
    const signal = AbortSignal.any([stopping.signal, lost.signal])
    try {
      await runOnce(job, claimed, signal)
    } catch (error) {
      // What became of the job could not be written down; the lease returns it.
      log.warn({ err: error, job: claimed.kind }, 'end of a job not recorded')
    } finally {
      clearInterval(heartbeat)
    }
  }

  async function runOnce(job: Job, claimed: ClaimedJob, signal: AbortSignal): Promise<void> {
    const { key, payload, attempt } = claimed
    try {
      const ended = await job.run({ key, payload, attempt, signal, log })
      if (ended.outcome === 'done') await finishJob(db, claimed)
      else if (ended.outcome === 'again') await rearmJob(db, claimed, { at: ended.at, error: null })
      else await discardJob(db, claimed, ended.reason)
    } catch (error) {
      await recordFailure(job, claimed, error)
    }
  }

  async function recordFailure(job: Job, claimed: ClaimedJob, error: unknown): Promise<void> {
    const { kind, attempt } = claimed
    const pauseSec =
      job.retryAfterSec === undefined ? backoffSec(attempt) : job.retryAfterSec(attempt)
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    log.warn({ err: error, job: kind, attempt }, 'job failed')
    if (pauseSec === undefined) return discardJob(db, claimed, reason)
    return rearmJob(db, claimed, { at: new Date(Date.now() + pauseSec * 1000), error: reason })
  }

  const looping = loop()
  return {
    async stop() {
      stopping.abort()
      await hints.stop()
      await looping
      await withinStopTime(Promise.allSettled(running.values()))
      await Promise.allSettled([...running.keys()].map((job) => releaseJob(db, job)))
    },
  }
}

function backoffSec(failures: number): number {
  return Math.min(2 ** (failures - 1), BACKOFF_MAX_SEC)
}

async function withinStopTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, STOP_MS)
  })
  await Promise.race([work, timeout])
  clearTimeout(timer)
}
