import type { Logger } from 'pino'

/** A run of a job that makes the file of a recording. */
export interface FinishRun {
  /** 1 for the first. */
  attempt: number
  signal: AbortSignal
  log: Logger
  /** False if it hands longer work over to a job that delays nobody. */
  isMaker: boolean
  /** Called with the finished share of a composition, 0 to 1. */
  onProgress?: (share: number) => void
}
