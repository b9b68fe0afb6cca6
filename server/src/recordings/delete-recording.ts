import type { Tx } from '../db/db.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { ServiceError } from '../lib/service-error.ts'
import { discardUpload } from '../processed-recordings/discard-upload.ts'
import { deleteObjectsRequest } from '../storage/delete-objects.job.ts'
import { cancelTranscriptionsOf } from '../transcriptions/cancel-at-engine.job.ts'
import { followRecordingRequest } from './follow-recording-request.ts'
import { holdRecordingIfAny } from './hold-recording.ts'
import { isRunning, type RecordingKey } from './recording.ts'
import { giveUpSegments } from './segment-store.ts'
import {
  deleteRecordingRow,
  findFiles,
  insertDeletion,
  isDeleted,
  type RecordingFiles,
} from './store.ts'

/** As many as one job may remove. */
const KEYS_MAX = 1000

/**
 * Deletes the recording with everything made from it, and notes who did it and when. The objects
 * follow by jobs. One that was deleted before stays deleted: no error. Throws 404 NOT_FOUND, 409
 * RECORDING_NOT_AVAILABLE while it is being recorded.
 */
export async function deleteRecording(tx: Tx, key: RecordingKey, now: Date): Promise<void> {
  const recording = await holdRecordingIfAny(tx, key)
  if (recording === undefined) {
    if (await isDeleted(tx, key)) return
    throw new ServiceError('NOT_FOUND')
  }
  if (isRunning(recording)) throw new ServiceError('RECORDING_NOT_AVAILABLE')

  const files = await findFiles(tx, key)
  await giveUpSegments(tx, recording.id, now)
  await enqueue(tx, followRecordingRequest(recording.roomId))
  await cancelTranscriptionsOf(tx, recording.id)
  await deleteRecordingRow(tx, key)
  await insertDeletion(tx, { ...key, roomId: recording.roomId, at: now })
  if (files !== undefined) await removeFiles(tx, files, now)
}

async function removeFiles(tx: Tx, files: RecordingFiles, now: Date): Promise<void> {
  const { storageKey, processedKey, uploadKey, uploadExpiresAt, resultKeys } = files
  const keys = [storageKey, processedKey, ...resultKeys].filter((key) => key !== null)
  for (let at = 0; at < keys.length; at += KEYS_MAX) {
    await enqueue(tx, deleteObjectsRequest(keys.slice(at, at + KEYS_MAX)))
  }
  if (uploadKey !== null && uploadExpiresAt !== null) {
    await discardUpload(tx, { uploadKey, uploadExpiresAt }, now)
  }
}
