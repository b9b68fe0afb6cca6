import type { Deps } from '../deps.ts'
import { enqueueAll } from '../jobs/enqueue.ts'
import { type RepeatingJob, repeatingJob } from '../jobs/repeating-job.ts'
import { followRecordingRequest } from './follow-recording-request.ts'
import { listRoomsToFollow } from './running-store.ts'

/** Looks after every room whose recording is not finished, or should have begun: whatever was lost. */
export function reconcileRecordingsJob({
  db,
  clock,
  config,
}: Pick<Deps, 'db' | 'clock' | 'config'>): RepeatingJob {
  return repeatingJob({
    kind: 'reconcile-recordings',
    everySec: config.reconcileEverySec,
    clock,
    async run() {
      const roomIds = await listRoomsToFollow(db)
      await enqueueAll(
        db,
        roomIds.map((roomId) => followRecordingRequest(roomId)),
      )
      return 'done'
    },
  })
}
