import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import type { Clock } from '../lib/clock.ts'
import { eachAlone } from '../lib/each-alone.ts'
import { enqueueOnce } from './enqueue.ts'
import type { Job } from './job.ts'
import { type RepeatingJob, repeatingJob } from './repeating-job.ts'

export { isPostponed } from './store.ts'

const BATCH = 100
/** Pause after the first, second, ... failure of an item. The last one holds for all further failures. */
const RETRY_AFTER_SEC = [10, 60, 300, 900]

interface RetriedItems<Item> {
  kind: string
  db: Db
  clock: Clock
  /** The key that identifies an item. */
  keyOf: (item: Item) => string
  /** Does the work for an item. On a later retry, the item may no longer be due. */
  carryOut: (item: Item, log: Logger) => Promise<void>
}

interface DueItems<Item> extends RetriedItems<Item> {
  /** Pause between two runs, in seconds. */
  everySec: number
  batch?: number
  /** Lists due items, oldest first, without those that `isPostponed` covers. */
  list: (limit: number) => Promise<Item[]>
}

/**
 * Processes due items from time to time, in order. Each item is independent: a failed one becomes a job of its own, of the same
 * kind and under its key, which is retried after growing pauses. It holds up none of the others. Items have only fields of text and
 * numbers.
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
function withRetries<Item>(
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

/** Records the failure of an item: from now on it is a job of its own. */
async function postpone<Item>(
  { kind, db, clock, keyOf }: Omit<RetriedItems<Item>, 'carryOut'>,
  { item, error, log }: { item: Item; error: unknown; log: Logger },
): Promise<void> {
  const key = keyOf(item)
  log.warn({ err: error, job: kind, key }, 'job failed')
  const dueAt = new Date(clock().getTime() + (RETRY_AFTER_SEC[0] ?? 0) * 1000)
  await enqueueOnce(db, { kind, key, payload: { item: JSON.stringify(item) }, dueAt })
}
