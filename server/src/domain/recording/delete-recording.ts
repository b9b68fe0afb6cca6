import type { Tx } from '../../platform/db/db.ts'
import type { RecordingKey } from './recordings/recording.ts'
import { lockForRemoval, removeRecording } from './recordings/remove-recording.ts'
import { cancelTranscriptionsOf } from './transcriptions/cancel-at-engine.job.ts'

/**
 * Deletes the recording with everything made from it. One that was deleted before stays deleted: no
 * error. Throws 404 NOT_FOUND, 409 RECORDING_NOT_AVAILABLE while it is being recorded.
 */
export async function deleteRecording(tx: Tx, key: RecordingKey, now: Date): Promise<void> {
  const recording = await lockForRemoval(tx, key)
  if (recording === undefined) return
  await cancelTranscriptionsOf(tx, recording.id)
  await removeRecording(tx, recording, now)
}
