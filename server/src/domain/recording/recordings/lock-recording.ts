import type { Tx } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import { lockRoom } from '../../booking/lock-room.ts'
import type { RecordingKey } from './recording.ts'
import { findRecording, type LockedRecording, findLockedRecording } from './store.ts'

/** Locks the room and then the recording, for a change of it or of anything made from it. Throws 404 NOT_FOUND. */
export async function lockRecording(tx: Tx, key: RecordingKey): Promise<LockedRecording> {
  const recording = await lockRecordingIfAny(tx, key)
  if (recording === undefined) throw new ServiceError('NOT_FOUND')
  return recording
}

/** The same, but returns undefined if the recording no longer exists. */
export async function lockRecordingIfAny(
  tx: Tx,
  key: RecordingKey,
): Promise<LockedRecording | undefined> {
  const found = await findRecording(tx, key)
  if (found === undefined) return undefined
  const locked = await lockRoom(tx, { tenantId: key.tenantId, roomId: found.roomId })
  return findLockedRecording(tx, locked, key.recordingId)
}
