import type { Job } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { UPDATE_MEDIA_RIGHTS, updateMediaRights } from './update-media-rights.ts'

/** Pause after the first, second, ... failure. The last value holds for all that follow. */
const RETRY_AFTER_SEC = [0, 1, 2, 4, 8, 16, 30]

/** Repeats until the provider has applied the rights. */
export function updateMediaRightsJob(deps: Pick<Deps, 'db' | 'media'>): Job {
  return {
    kind: UPDATE_MEDIA_RIGHTS,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ key: roomId }) {
      await updateMediaRights(deps, roomId)
      return { outcome: 'done' }
    },
  }
}
