import { enqueueAll } from '../../../platform/jobs/enqueue.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { type RepeatingJob, repeatingJob } from '../../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { reconcileRecording } from './reconcile-recording.ts'
import { FOLLOW_RECORDING, followRecordingRequest } from './recording-requests.ts'
import { listRoomsToFollow } from './running-store.ts'

/**
 * Reconciles the recording of a room. Whoever changes something asks for it; while something is unfinished
 * it comes back by itself.
 */
export function followRecordingJob(
  deps: Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>,
): Job {
  return {
    kind: FOLLOW_RECORDING,
    async run({ key: roomId }) {
      const at = await reconcileRecording(deps, roomId)
      return at === undefined ? { outcome: 'done' } : { outcome: 'again', at }
    },
  }
}

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
