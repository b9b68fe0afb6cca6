import type { Tx } from '../../platform/db/db.ts'
import type { Clock } from '../../platform/lib/clock.ts'
import type { RoomKey } from '../room-log/room-lock.ts'
import { deleteClipsOf } from './clips/store.ts'
import { deleteProcessedRowOf } from './processed-recordings/store.ts'
import { deleteActivitiesOf } from './recordings/activity-store.ts'
import { lockRecordingIfAny } from './recordings/lock-recording.ts'
import type { RecordingKey } from './recordings/recording.ts'
import { expireWithFiles, lockForRemoval, removeRecording } from './recordings/remove-recording.ts'
import { listEndedOf, type LockedRecording } from './recordings/store.ts'
import { deleteVoicesOf } from './recordings/voice-store.ts'
import { deleteSharesOf } from './reviews/share-store.ts'
import { deleteCommentsOf } from './reviews/store.ts'
import {
  cancelTranscriptionsOf,
  removeTranscriptionsOf,
} from './transcriptions/cancel-at-engine.job.ts'

/**
 * Deletes the recording with everything made from it. A repeat is no error. Throws 404 NOT_FOUND, 409
 * RECORDING_NOT_AVAILABLE while it is being recorded.
 */
export async function deleteRecording(tx: Tx, key: RecordingKey, clock: Clock): Promise<void> {
  const recording = await lockForRemoval(tx, key)
  if (recording === undefined) return
  await cancelTranscriptionsOf(tx, recording.id)
  // Read the time only with the lock: every change of the recording before that is earlier.
  await removeRecording(tx, recording, clock())
  await deleteClipsOf(tx, recording)
}

/**
 * Expires the recordings of a room with everything made from them. Files, processed recordings, clips, reels, comments and
 * transcriptions are deleted as by a DELETE. The row of the recording stays. A recording whose file is still being made is
 * left alone.
 */
export async function expireRecordingsOfRoom(tx: Tx, room: RoomKey, now: Date): Promise<void> {
  for (const key of await listEndedOf(tx, room)) {
    const recording = await lockRecordingIfAny(tx, key)
    if (recording === undefined) continue
    await expireWithFiles(tx, recording, now)
    await deleteProcessedRowOf(tx, recording.id)
    await deleteRowsBeside(tx, recording)
    await removeTranscriptionsOf(tx, recording.id)
  }
}

/** Deletes what is about the file of a recording, or in it, when the file has expired. */
export async function deleteRowsBeside(tx: Tx, recording: LockedRecording): Promise<void> {
  await deleteClipsOf(tx, recording)
  await deleteCommentsOf(tx, recording.id)
  await deleteActivitiesOf(tx, recording.id)
  await deleteVoicesOf(tx, recording.id)
  await deleteSharesOf(tx, recording.id)
}
