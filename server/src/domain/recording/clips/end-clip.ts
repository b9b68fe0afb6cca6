import type { Tx } from '../../../platform/db/db.ts'
import { recordWebhookEvent } from '../../../platform/webhooks/record-event.ts'
import { findSessionRef } from '../../booking/read-bookings.ts'
import type { TrimmedFile } from '../trims/trim.ts'
import type { Clip } from './clip.ts'
import { updateStatus } from './store.ts'

export type ClipEnd =
  | { to: 'available'; file: TrimmedFile }
  | { to: 'failed'; failureReason: string }

/** Ends a locked pending clip and notifies the tenant, in one transaction. */
export async function endClip(
  tx: Tx,
  { id, tenantId, recordingId }: Clip,
  { roomId, at, ...end }: ClipEnd & { roomId: string; at: Date },
): Promise<void> {
  const failureReason = end.to === 'failed' ? end.failureReason : null
  const file = end.to === 'available' ? end.file : null
  await updateStatus(tx, id, { to: end.to, file, failureReason, at })
  const { session_external_ref } = await findSessionRef(tx, roomId)
  await recordWebhookEvent(tx, {
    tenantId,
    type: 'clip.status_changed',
    streamKey: `clip:${id}`,
    dedupeKey: `clip:${id}`,
    occurredAt: at,
    data: {
      clip_id: id,
      recording_id: recordingId,
      room_id: roomId,
      session_external_ref,
      status: end.to,
      failure_reason: failureReason,
    },
  })
}
