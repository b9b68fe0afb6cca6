import type { ProcessedStatus } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { recordWebhookEvent } from '../../../platform/webhooks/record-event.ts'
import { findSessionRef } from '../../booking/read-bookings.ts'
import { PROCESSED_ENTERED_FROM, type ProcessedRecording } from './processed-recording.ts'
import { type ProcessedFile, updateStatus } from './store.ts'

/** A new state of a processed recording, with the fields of that state. */
export type ProcessedMove =
  | { to: 'processing' }
  | { to: 'available'; file: ProcessedFile }
  | { to: 'failed'; failureReason: string }

/**
 * Moves a locked processed recording to another state and notifies the tenant of its end (W7), in one transaction. Returns
 * undefined and changes nothing when the present state does not allow it.
 */
export async function moveProcessed(
  tx: Tx,
  processed: ProcessedRecording,
  move: ProcessedMove & { roomId: string; at: Date },
): Promise<ProcessedRecording | undefined> {
  const { id, source, status } = processed
  const from: readonly ProcessedStatus[] = PROCESSED_ENTERED_FROM[source][move.to]
  if (!from.includes(status)) return undefined
  const failureReason = move.to === 'failed' ? move.failureReason : null
  const file = move.to === 'available' ? move.file : null
  const { to, at, roomId } = move
  const moved = await updateStatus(tx, id, { from: status, to, file, failureReason, at })
  if (moved === undefined || to === 'processing') return moved

  const { session_external_ref } = await findSessionRef(tx, roomId)
  await recordWebhookEvent(tx, {
    tenantId: processed.tenantId,
    type: 'processed_recording.status_changed',
    streamKey: `processed:${id}`,
    dedupeKey: `processed:${id}:v${moved.version}`,
    occurredAt: at,
    data: {
      processed_recording_id: id,
      recording_id: processed.recordingId,
      room_id: roomId,
      session_external_ref,
      source,
      status: to,
      previous_status: status,
      failure_reason: failureReason,
    },
  })
  return moved
}
