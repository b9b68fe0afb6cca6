import type { Deps } from '../deps.ts'
import { type RepeatingJob, repeatingJob } from '../jobs/repeating-job.ts'
import { deleteOldWebhooks } from './store.ts'

const EVERY_SEC = 60 * 60
const BATCH = 10_000

/** Events and their attempts are kept for thirty days, for sending again. */
export function sweepWebhooksJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return repeatingJob({
    kind: 'sweep-webhooks',
    everySec: EVERY_SEC,
    clock,
    async run() {
      await deleteOldWebhooks(db, BATCH)
      return 'done'
    },
  })
}
