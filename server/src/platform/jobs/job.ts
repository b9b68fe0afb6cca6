import type { Logger } from 'pino'

/** The result of a job's run. A thrown error is retried with the job's backoff. */
export type JobOutcome =
  | { outcome: 'done' }
  /** Runs again at this time, for schedules and for waiting. It does not count as a failure. */
  | { outcome: 'again'; at: Date }
  /** Keeps the job, but never runs it again automatically. */
  | { outcome: 'discard'; reason: string }

export interface JobRun {
  key: string
  payload: Record<string, unknown>
  /** 1 for the first run. */
  attempt: number
  /** Aborted when the worker stops or the lease is lost. */
  signal: AbortSignal
  log: Logger
}

/** A kind of background work. `run` reads the current state first, because it may be called again. */
export interface Job {
  kind: string
  run(run: JobRun): Promise<JobOutcome>
  /** Seconds to wait after the nth failure (n from 1), or undefined to discard. Default 1, 2, 4 … 30 s. */
  retryAfterSec?: (failures: number, key: string) => number | undefined
}

/** A job to run after the commit. Requesting the same key twice is one request. */
export interface JobRequest {
  kind: string
  key: string
  payload?: Record<string, string | number | boolean | null>
  dueAt?: Date
}
