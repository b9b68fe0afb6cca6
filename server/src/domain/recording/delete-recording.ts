import type { Tx } from '../../platform/db/db.ts'
import type { Clock } from '../../platform/lib/clock.ts'
import type { RoomKey } from '../room-log/room-lock.ts'
import { deleteClipsOf } from './clips/store.ts'
import { deleteProcessedRowOf } from './processed-recordings/store.ts'
import { lockRecordingIfAny } from './recordings/lock-recording.ts'
import type { RecordingKey } from './recordings/recording.ts'
import { expireWithFiles, lockForRemoval, removeRecording } from './recordings/remove-recording.ts'
import { listEndedOf } from './recordings/store.ts'
import { deleteCommentsOf } from './reviews/store.ts'
import {
  cancelTranscriptionsOf,
  removeTranscriptionsOf,
} from './transcriptions/cancel-at-engine.job.ts'

/**
 * Deletes the recording with everything made from it. One that was deleted before stays deleted: no
 * error. Throws 404 NOT_FOUND, 409 RECORDING_NOT_AVAILABLE while it is being recorded.
 */
export async function deleteRecording(tx: Tx, key: RecordingKey, clock: Clock): Promise<void> {
  const recording = await lockForRemoval(tx, key)
  if (recording === undefined) return
  await cancelTranscriptionsOf(tx, recording.id)
  // Read behind the lock: what became of the recording while it was waited for, was before.
  await removeRecording(tx, recording, clock())
}

/**
 * Lets the recordings of a room expire, with everything made from them: files, processed recordings, clips,
 * comments and transcriptions go as at a DELETE, the row of the recording stays. One whose file is still being made stays
 * as it is.
 */
export async function expireRecordingsOfRoom(tx: Tx, room: RoomKey, now: Date): Promise<void> {
  for (const key of await listEndedOf(tx, room)) {
    const recording = await lockRecordingIfAny(tx, key)
    if (recording === undefined) continue
    await expireWithFiles(tx, recording, now)
    await deleteProcessedRowOf(tx, recording.id)
    await deleteClipsOf(tx, recording.id)
    await deleteCommentsOf(tx, recording.id)
    await removeTranscriptionsOf(tx, recording.id)
  }
}
