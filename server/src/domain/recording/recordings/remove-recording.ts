import type { Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import { deleteObjectsRequest } from '../../../platform/storage/delete-objects.job.ts'
import { discardUpload } from '../../../platform/storage/discard-upload.ts'
import { lockRecordingIfAny } from './lock-recording.ts'
import { expireRecording } from './move-recording.ts'
import { followRecordingRequest } from './recording-requests.ts'
import { isRunning, type RecordingKey } from './recording.ts'
import { giveUpSegments } from './segment-store.ts'
import {
  deleteRecordingRow,
  findFiles,
  type LockedRecording,
  insertDeletion,
  isDeleted,
  type RecordingFiles,
} from './store.ts'

const KEYS_MAX = 1000

/**
 * Locks a recording that is to be deleted. Returns undefined when it was deleted before. Throws 404 NOT_FOUND, 409
 * RECORDING_NOT_AVAILABLE while it is being recorded.
 */
export async function lockForRemoval(
  tx: Tx,
  key: RecordingKey,
): Promise<LockedRecording | undefined> {
  const recording = await lockRecordingIfAny(tx, key)
  if (recording === undefined) {
    if (await isDeleted(tx, key)) return undefined
    throw new ServiceError('NOT_FOUND')
  }
  if (isRunning(recording)) throw new ServiceError('RECORDING_NOT_AVAILABLE')
  return recording
}

/** Deletes the recording with everything made from it, and records who did it and when. Jobs delete the objects. */
export async function removeRecording(
  tx: Tx,
  recording: LockedRecording,
  now: Date,
): Promise<void> {
  const { id, tenantId, roomId } = recording
  const key = { tenantId, recordingId: id }
  await removeFiles(tx, await findFiles(tx, id), now)
  await giveUpSegments(tx, id, { at: now })
  await enqueue(tx, followRecordingRequest(roomId))
  await deleteRecordingRow(tx, key)
  await insertDeletion(tx, { ...key, roomId, at: now })
}

/**
 * Expires a locked available or failed recording, with every object that belongs to it. Its row stays. The caller then
 * deletes the rows of everything made from it, because they name the objects.
 */
export async function expireWithFiles(
  tx: Tx,
  recording: LockedRecording,
  now: Date,
): Promise<void> {
  await removeFiles(tx, await findFiles(tx, recording.id), now)
  await expireRecording(tx, recording, now)
}

/** The same for only its own file, the voices in it, and its clips' files. Everything else made from it stays. */
export async function expireWithClips(
  tx: Tx,
  recording: LockedRecording,
  now: Date,
): Promise<void> {
  const files = await findFiles(tx, recording.id)
  if (!(await expireRecording(tx, recording, now))) return
  await removeFiles(tx, { ...files, processedKey: null, uploadKey: null, resultKeys: [] }, now)
}

async function removeFiles(tx: Tx, files: RecordingFiles, now: Date): Promise<void> {
  const { storageKey, processedKey, uploadKey, uploadExpiresAt } = files
  const made = [...files.clipKeys, ...files.voiceKeys, ...files.resultKeys]
  const keys = [storageKey, processedKey, ...made].filter((key) => key !== null)
  for (let at = 0; at < keys.length; at += KEYS_MAX) {
    await enqueue(tx, deleteObjectsRequest(keys.slice(at, at + KEYS_MAX)))
  }
  if (uploadKey !== null && uploadExpiresAt !== null) {
    await discardUpload(tx, { uploadKey, uploadExpiresAt }, now)
  }
}
