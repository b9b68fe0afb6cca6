import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import { followRecordingRequest } from './follow-recording-request.ts'
import { listRoomsToFollow } from './running-store.ts'

const KIND = 'reconcile-recordings'

/** Asked for once at every start; the job then repeats itself. */
export const reconcileRecordingsRequest: JobRequest = { kind: KIND, key: 'all' }

/** Looks after every room whose recording is not finished, or should have begun: whatever was lost. */
export function reconcileRecordingsJob({
  db,
  clock,
  config,
}: Pick<Deps, 'db' | 'clock' | 'config'>): Job {
  return {
    kind: KIND,
    async run({ signal }) {
      for (const roomId of await listRoomsToFollow(db)) {
        if (signal.aborted) break
        await enqueue(db, followRecordingRequest(roomId))
      }
      return { outcome: 'again', at: new Date(clock().getTime() + config.reconcileEverySec * 1000) }
    },
    retryAfterSec: () => config.reconcileEverySec,
  }
}
