import type { Tx } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import { holdRoom } from '../../booking/hold-room.ts'
import type { RecordingKey } from './recording.ts'
import { findRecording, type HeldRecording, lockRecording } from './store.ts'

/**
 * Locks the recording and, before it, its room, for a change of it or of what was made from it.
 * Throws 404 NOT_FOUND.
 */
export async function holdRecording(tx: Tx, key: RecordingKey): Promise<HeldRecording> {
  const recording = await holdRecordingIfAny(tx, key)
  if (recording === undefined) throw new ServiceError('NOT_FOUND')
  return recording
}

/** The same where a recording that is gone is no error. */
export async function holdRecordingIfAny(
  tx: Tx,
  key: RecordingKey,
): Promise<HeldRecording | undefined> {
  const found = await findRecording(tx, key)
  if (found === undefined) return undefined
  const held = await holdRoom(tx, { tenantId: key.tenantId, roomId: found.roomId })
  return lockRecording(tx, held, key.recordingId)
}
