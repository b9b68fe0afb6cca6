import type { Logger } from 'pino'

/**
 * The scope of a run. `nothing`: it hands longer work over. `joins`: it may also join several videos or put them into an
 * archive, which reads and writes all of them. `compositions`: everything; composing keeps a core busy for minutes.
 */
export type RunScope = 'nothing' | 'joins' | 'compositions'

/** A run of a job that makes the file of a recording. */
export interface FinishRun {
  /** 1 for the first. */
  attempt: number
  signal: AbortSignal
  log: Logger
  makes: RunScope
  /** Called with the finished share of a composition, 0 to 1. */
  onProgress?: (share: number) => void
}
