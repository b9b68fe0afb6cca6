import type { Clock } from '../lib/clock.ts'
import { type RepeatingJob, repeatingJob } from './repeating-job.ts'

interface Sweep {
  kind: string
  everySec: number
  clock: Clock
  /** Rows that one statement removes at most: none runs into its timeout, or holds others up. */
  batch?: number
  /** Removes at most `limit` rows that are too old, oldest first; returns how many. */
  sweep: (limit: number) => Promise<number>
}

export const SWEEP_BATCH = 5_000

/** Periodically deletes old rows of a table: batch by batch, until one is not full. */
export function sweepJob({
  kind,
  everySec,
  clock,
  batch = SWEEP_BATCH,
  sweep,
}: Sweep): RepeatingJob {
  return repeatingJob({
    kind,
    everySec,
    clock,
    run: async () => ((await sweep(batch)) >= batch ? 'more' : 'done'),
  })
}
