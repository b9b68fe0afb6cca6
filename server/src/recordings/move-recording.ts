import type { RecordingStatus } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../db/db.ts'
import { appendRoomEvent } from '../room-events/append-room-event.ts'
import { recordWebhookEvent } from '../webhooks/record-event.ts'
import { findSessionRef } from './find-session-ref.ts'
import { RECORDING_ENTERED_FROM, type Recording } from './recording.ts'
import { type RecordingFile, updateStatus } from './store.ts'

/** Where a recording goes, with what belongs to that state. */
export type RecordingMove =
  | { to: 'started' | 'paused' | 'stopped' | 'available' | 'expired' }
  | { to: 'uploaded'; file: RecordingFile }
  | { to: 'failed'; failureReason: string }

/**
 * Moves a held recording to another state and tells the tenant (W3), in one transaction; a failure
 * stands in the log of the room, too. False when the state cannot be entered from where the
 * recording is: then nothing has changed.
 */
export async function moveRecording(
  tx: Tx,
  recording: Recording,
  move: RecordingMove & { at: Date },
): Promise<boolean> {
  const { id, tenantId, roomId, status } = recording
  const { to, at } = move
  const from: readonly RecordingStatus[] = RECORDING_ENTERED_FROM[to]
  if (!from.includes(status)) return false
  const failureReason = move.to === 'failed' ? move.failureReason : null
  const file = move.to === 'uploaded' ? move.file : null
  const version = await updateStatus(tx, id, { from: status, to, file, failureReason, at })
  if (version === undefined) return false

  await recordWebhookEvent(tx, {
    tenantId,
    type: 'recording.status_changed',
    streamKey: `recording:${id}`,
    dedupeKey: `recording:${id}:v${version}`,
    occurredAt: at,
    data: {
      recording_id: id,
      room_id: roomId,
      ...(await findSessionRef(tx, roomId)),
      status: to,
      previous_status: status,
      failure_reason: failureReason,
    },
  })
  if (move.to === 'failed') await recordFailure(tx, recording, move.failureReason)
  return true
}

async function recordFailure(tx: Tx, recording: Recording, failureReason: string): Promise<void> {
  const { id, tenantId, roomId } = recording
  const payload = { recording_id: id, failure_reason: failureReason }
  await appendRoomEvent(tx, { tenantId, roomId, eventType: 'recording.failed', payload })
}
