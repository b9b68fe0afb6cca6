import { inTransaction, type Tx } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Job, JobRequest } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteObjectsRequest } from '../../platform/storage/delete-objects.job.ts'
import { isNeededForRecording } from './presentation-store.ts'

const KIND = 'release-handout-file'
const LOOK_AGAIN_MS = 60_000

const request = (storageKey: string): JobRequest => ({ kind: KIND, key: storageKey })

/** Deletes a handout's previous file after the commit: immediately, or once no recording has to show it any more. */
export async function releaseHandoutFile(tx: Tx, storageKey: string): Promise<void> {
  const isNeeded = await isNeededForRecording(tx, storageKey)
  await enqueue(tx, isNeeded ? request(storageKey) : deleteObjectsRequest([storageKey]))
}

export function releaseHandoutFileJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): Job {
  return {
    kind: KIND,
    async run({ key }) {
      return inTransaction(db, async (tx) => {
        if (await isNeededForRecording(tx, key)) {
          return { outcome: 'again', at: new Date(clock().getTime() + LOOK_AGAIN_MS) }
        }
        await enqueue(tx, deleteObjectsRequest([key]))
        return { outcome: 'done' }
      })
    },
  }
}
