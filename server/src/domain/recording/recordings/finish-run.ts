import type { Logger } from 'pino'

/**
 * What a run may make. `nothing` that takes long: it hands over. `joins`: also one file or an archive of several
 * videos, which reads and writes all of them. `compositions`: everything; composing keeps a core busy for minutes.
 */
export type RunScope = 'nothing' | 'joins' | 'compositions'

/** A run of a job that makes the file of a recording. */
export interface FinishRun {
  /** 1 for the first. */
  attempt: number
  signal: AbortSignal
  log: Logger
  makes: RunScope
  /** Called with the share of a composition that is done, 0 to 1. */
  onProgress?: (share: number) => void
}
