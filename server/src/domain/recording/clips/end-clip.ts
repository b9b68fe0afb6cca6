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
  { id, tenantId, recordingId, reel }: Clip,
  { roomId, at, ...end }: ClipEnd & { roomId: string; at: Date },
): Promise<void> {
  const failureReason = end.to === 'failed' ? end.failureReason : null
  const file = end.to === 'available' ? end.file : null
  await updateStatus(tx, id, { to: end.to, file, failureReason, at })
  const { session_external_ref } = await findSessionRef(tx, roomId)
  const name = reel === null ? `clip:${id}` : `reel:${id}`
  const event = { tenantId, streamKey: name, dedupeKey: name, occurredAt: at }
  const outcome = {
    room_id: roomId,
    session_external_ref,
    status: end.to,
    failure_reason: failureReason,
  }
  await (reel === null
    ? recordWebhookEvent(tx, {
        ...event,
        type: 'clip.status_changed',
        data: { clip_id: id, recording_id: recordingId, ...outcome },
      })
    : recordWebhookEvent(tx, {
        ...event,
        type: 'reel.status_changed',
        data: { reel_id: id, ...outcome },
      }))
}
