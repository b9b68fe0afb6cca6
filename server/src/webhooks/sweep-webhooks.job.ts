import type { Deps } from '../deps.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import { deleteOldWebhooks } from './store.ts'

const KIND = 'sweep-webhooks'
const EVERY_MS = 60 * 60 * 1000
const BATCH = 10_000

export const sweepWebhooksRequest: JobRequest = { kind: KIND, key: 'all' }

/** Events and their attempts are kept for thirty days, for sending again. */
export function sweepWebhooksJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): Job {
  return {
    kind: KIND,
    async run() {
      await deleteOldWebhooks(db, BATCH)
      return { outcome: 'again', at: new Date(clock().getTime() + EVERY_MS) }
    },
  }
}
