import type { Logger } from 'pino'

/** A run of the job that makes the file of a recording. */
export interface FinishRun {
  /** 1 for the first. */
  attempt: number
  signal: AbortSignal
  log: Logger
  /** Whether this run may compose, which keeps a core busy for minutes. */
  isComposing?: boolean
  /** Called with the share of a composition that is done, 0 to 1. */
  onProgress?: (share: number) => void
}
