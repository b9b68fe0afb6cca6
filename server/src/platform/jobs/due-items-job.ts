import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import type { Clock } from '../lib/clock.ts'
import { eachAlone } from '../lib/each-alone.ts'
import { enqueueOnce } from './enqueue.ts'
import type { Job } from './job.ts'
import { type RepeatingJob, repeatingJob } from './repeating-job.ts'

export { isPostponed } from './store.ts'

const BATCH = 100
/** Pause after the first, second, ... failure of an item; the last one holds for all that follow. */
const RETRY_AFTER_SEC = [10, 60, 300, 900]

interface RetriedItems<Item> {
  kind: string
  db: Db
  clock: Clock
  /** Names an item. */
  keyOf: (item: Item) => string
  /** What is to be done for an item that may be no longer due: a retry comes later. */
  carryOut: (item: Item, log: Logger) => Promise<void>
}

interface DueItems<Item> extends RetriedItems<Item> {
  /** Pause between two runs, in seconds. */
  everySec: number
  batch?: number
  /** Those that are due, the oldest first, but none that `isPostponed`. */
  list: (limit: number) => Promise<Item[]>
}

/**
 * Takes from time to time what is due, in its order. Each item stands alone: one that fails becomes a job of
 * its own, of the same kind and under its key, which is retried after longer and longer pauses. It holds up none
 * behind it. Items have fields of texts and numbers only.
 */
export function dueItemsJob<Item>({
  everySec,
  batch = BATCH,
  list,
  ...retried
}: DueItems<Item>): RepeatingJob {
  const { kind, clock, carryOut } = retried
  const sweep = repeatingJob({
    kind,
    everySec,
    clock,
    async run({ signal, log }) {
      const due = await list(batch)
      const failed = await eachAlone(due, async (item) => {
        if (!signal.aborted) await carryOut(item, log)
      })
      for (const { item, error } of failed) await postpone(retried, { item, error, log })
      return due.length >= batch ? 'more' : 'done'
    },
  })
  return withRetries(sweep, retried)
}

/** Lets a repeating job also run the items that it has postponed. */
export function withRetries<Item>(
  sweep: RepeatingJob,
  { carryOut }: Pick<RetriedItems<Item>, 'carryOut'>,
): RepeatingJob {
  const isItem = (key: string) => key !== sweep.schedule.key
  const retryAfterSec: Job['retryAfterSec'] = (failures, key) =>
    isItem(key)
      ? (RETRY_AFTER_SEC[failures] ?? RETRY_AFTER_SEC.at(-1))
      : sweep.retryAfterSec?.(failures, key)
  return {
    ...sweep,
    retryAfterSec,
    async run(asked) {
      if (!isItem(asked.key)) return sweep.run(asked)
      await carryOut(JSON.parse(String(asked.payload['item'])) as Item, asked.log)
      return { outcome: 'done' }
    },
  }
}

/** Writes down that an item failed: it is a job of its own from now on. */
export async function postpone<Item>(
  { kind, db, clock, keyOf }: Omit<RetriedItems<Item>, 'carryOut'>,
  { item, error, log }: { item: Item; error: unknown; log: Logger },
): Promise<void> {
  const key = keyOf(item)
  log.warn({ err: error, job: kind, key }, 'job failed')
  const dueAt = new Date(clock().getTime() + (RETRY_AFTER_SEC[0] ?? 0) * 1000)
  await enqueueOnce(db, { kind, key, payload: { item: JSON.stringify(item) }, dueAt })
}
