import type { Logger } from 'pino'

/** What a job's run ends with. A thrown error is a retry with the job's backoff. */
export type JobOutcome =
  | { outcome: 'done' }
  /** Run again at this time; for schedules and for waiting. Does not count as a failure. */
  | { outcome: 'again'; at: Date }
  /** Kept, but never run again automatically. */
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

/** A kind of background work. `run` reads the present state first: it may be called again. */
export interface Job {
  kind: string
  run(run: JobRun): Promise<JobOutcome>
  /** Seconds to wait after the nth failure (n from 1), or undefined to discard. Default 1, 2, 4 … 30 s. */
  retryAfterSec?: (failures: number, key: string) => number | undefined
}

/** Something that must be done after the commit. Asking twice for the same key is asking once. */
export interface JobRequest {
  kind: string
  key: string
  payload?: Record<string, string | number | boolean | null>
  dueAt?: Date
}
