import type { Job, JobRequest } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { hasOpenEntries } from './entry-store.ts'

const KIND = 'mask-arrivals'
const RETRY_MAX_SEC = 10

export function maskArrivalsRequest(roomId: string): JobRequest {
  return { kind: KIND, key: roomId }
}

/**
 * Hides from everybody in a room that somebody hidden arrives: as long as anybody is inside, somebody hidden arrives all the time.
 * It runs from the first entry to the last departure. One room needs one run, and a second one is harmless.
 */
export function maskArrivalsJob({ db, media }: Pick<Deps, 'db' | 'media'>): Job {
  return {
    kind: KIND,
    retryAfterSec: (failures) => Math.min(2 ** (failures - 1), RETRY_MAX_SEC),
    async run({ key: roomId, signal }) {
      while (await hasOpenEntries(db, roomId)) {
        if (!(await media.maskArrivals(roomId, signal))) break
        signal.throwIfAborted()
      }
      return { outcome: 'done' }
    },
  }
}
