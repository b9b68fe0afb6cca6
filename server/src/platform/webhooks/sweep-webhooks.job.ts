import { type RepeatingJob, repeatingJob } from '../jobs/repeating-job.ts'
import type { Deps } from '../ports/deps.ts'
import { deleteOldWebhooks, makeForgottenDue } from './delivery-store.ts'
import { cancelForRemoved } from './removal-store.ts'
import { deleteOldReplays } from './replay-store.ts'

const EVERY_SEC = 60
const BATCH = 1_000

/**
 * Events and their attempts are kept for thirty days, for sending again. And two events of a resource that
 * were recorded at the same moment may have passed each other: the second one is called here. What was recorded while
 * its endpoint was removed is cancelled.
 */
export function sweepWebhooksJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return repeatingJob({
    kind: 'sweep-webhooks',
    everySec: EVERY_SEC,
    clock,
    async run({ log }) {
      const { events, undelivered } = await deleteOldWebhooks(db, BATCH)
      if (undelivered > 0) log.warn({ undelivered }, 'undelivered webhooks expired')
      await makeForgottenDue(db)
      await deleteOldReplays(db, BATCH)
      const cancelled = await cancelForRemoved(db, { limit: BATCH })
      return events === BATCH || cancelled === BATCH ? 'more' : 'done'
    },
  })
}
