import { type RepeatingJob, repeatingJob } from '../../../platform/jobs/repeating-job.ts'
import { eachAlone } from '../../../platform/lib/each-alone.ts'
import type { Deps } from '../../../platform/ports/deps.ts'

const BATCH = 100
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

interface Sweep<T> {
  kind: string
  /** Lists the pending and processing items by id. */
  list: (page: { after: string; limit: number }) => Promise<T[]>
  sweepOne: (unfinished: T) => Promise<void>
  /** The log message for an item that could not be swept. `logged` returns its fields. */
  failure: string
  logged: (unfinished: T) => Readonly<Record<string, string>>
}

/**
 * Sweeps unfinished items at the configured interval. A failing item does not affect the others and is tried again in the
 * next run.
 */
export function sweepUnfinishedJob<T extends { id: string }>(
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  { kind, list, sweepOne, failure, logged }: Sweep<T>,
): RepeatingJob {
  return repeatingJob({
    kind,
    everySec: config.processedRecordings.sweepEverySec,
    clock,
    async run({ signal, log }) {
      let after: string | undefined = BEFORE_ALL
      while (after !== undefined && !signal.aborted) {
        const unfinished: T[] = await list({ after, limit: BATCH })
        const failed = await eachAlone(unfinished, sweepOne)
        for (const { item, error } of failed) log.error({ err: error, ...logged(item) }, failure)
        after = unfinished.length === BATCH ? unfinished.at(-1)?.id : undefined
      }
      return 'done'
    },
  })
}
