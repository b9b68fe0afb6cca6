import type { RecordingStatus } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../db/db.ts'
import { recordWebhookEvent } from '../webhooks/record-event.ts'
import { findSessionRef } from './find-session-ref.ts'
import { RECORDING_ENTERED_FROM, type Recording } from './recording.ts'
import { updateStatus } from './store.ts'

export interface RecordingMove {
  to: RecordingStatus
  /** For failed: the summary that W3 tells. */
  failureReason: string | null
  at: Date
}

/**
 * Moves a held recording to another state and tells the tenant (W3), in one transaction. False
 * when the state cannot be entered from where the recording is: then nothing has changed.
 */
export async function moveRecording(
  tx: Tx,
  recording: Recording,
  { to, failureReason, at }: RecordingMove,
): Promise<boolean> {
  const { id, tenantId, roomId, status } = recording
  const from: readonly RecordingStatus[] = RECORDING_ENTERED_FROM[to]
  if (!from.includes(status)) return false
  const key = { tenantId, recordingId: id }
  const version = await updateStatus(tx, key, { from: status, to, failureReason, at })
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
  return true
}
