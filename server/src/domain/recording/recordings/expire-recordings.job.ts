import { inTransaction } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { type RepeatingJob, repeatingJob } from '../../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { deleteObjectsRequest } from '../../../platform/storage/delete-objects.job.ts'
import { lockRecordingIfAny } from './lock-recording.ts'
import { moveRecording } from './move-recording.ts'
import { reconcileRecordingRequest } from './recording-requests.ts'
import type { RecordingKey } from './recording.ts'
import { giveUpSegments } from './segment-store.ts'
import { listAvailableSince, listFailedWithSegments } from './store.ts'

const EVERY_SEC = 60 * 60
const DAY_MS = 24 * 60 * 60 * 1000
const BATCH = 100

type ExpireDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/**
 * Ends recordings that have been available for the configured days: the file goes, the row stays.
 * So do the segments that were kept of those that failed.
 */
export function expireRecordingsJob(deps: ExpireDeps): RepeatingJob {
  const { db, clock, config } = deps
  const days = config.recordingRetentionDays
  return repeatingJob({
    kind: 'expire-recordings',
    everySec: EVERY_SEC,
    clock,
    async run({ signal }) {
      if (days === undefined) return 'done'
      const before = new Date(clock().getTime() - days * DAY_MS)
      const due = await listAvailableSince(db, before, BATCH)
      for (const key of due) {
        if (signal.aborted) break
        await expireRecording(deps, key)
      }
      const failed = await listFailedWithSegments(db, before, BATCH)
      for (const key of failed) {
        if (signal.aborted) break
        await forgetKept(deps, key)
      }
      return due.length === BATCH || failed.length === BATCH ? 'more' : 'done'
    },
  })
}

async function expireRecording({ db, clock }: ExpireDeps, key: RecordingKey): Promise<void> {
  await inTransaction(db, async (tx) => {
    const recording = await lockRecordingIfAny(tx, key)
    if (recording === undefined) return
    const move = { to: 'expired', at: clock() } as const
    if (!(await moveRecording(tx, recording, move)) || recording.storageKey === null) return
    await enqueue(tx, deleteObjectsRequest([recording.storageKey]))
  })
}

async function forgetKept({ db, clock }: ExpireDeps, key: RecordingKey): Promise<void> {
  await inTransaction(db, async (tx) => {
    const recording = await lockRecordingIfAny(tx, key)
    if (recording?.status !== 'failed') return
    await giveUpSegments(tx, recording.id, clock())
    await enqueue(tx, reconcileRecordingRequest(recording.roomId))
  })
}
