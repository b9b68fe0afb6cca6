import { enqueueAll } from '../../../platform/jobs/enqueue.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { type RepeatingJob, repeatingJob } from '../../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { followRecording } from './follow-recording.ts'
import { FOLLOW_RECORDING, followRecordingRequest } from './recording-requests.ts'
import { listRoomsToReconcile } from './running-store.ts'

const RETRY_MAX_SEC = 4

/** Reconciles the recording of a room. Every change enqueues it, and it repeats while anything is unfinished. */
export function followRecordingJob(
  deps: Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>,
): Job {
  return {
    kind: FOLLOW_RECORDING,
    async run({ key: roomId }) {
      const at = await followRecording(deps, roomId)
      return at === undefined ? { outcome: 'done' } : { outcome: 'again', at }
    },
    // Nothing is recorded until it succeeds.
    retryAfterSec: (failures) => Math.min(2 ** (failures - 1), RETRY_MAX_SEC),
  }
}

/** Enqueues every room whose recording is unfinished or should have started, in case a job was lost. */
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
      const roomIds = await listRoomsToReconcile(db)
      await enqueueAll(
        db,
        roomIds.map((roomId) => followRecordingRequest(roomId)),
      )
      return 'done'
    },
  })
}
