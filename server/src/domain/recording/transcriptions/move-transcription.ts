import type { TranscriptionStatus } from '@interview-room/contract/vocabulary.ts'
import type { TranscriptionCompletedData } from '@interview-room/contract/webhooks.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { recordWebhookEvent } from '../../../platform/webhooks/record-event.ts'
import { findSessionRef } from '../../booking/read-bookings.ts'
import { giveUpParts } from './cancel-at-engine.job.ts'
import { updateStatus } from './store.ts'
import { TRANSCRIPTION_ENTERED_FROM, type Transcription } from './transcription.ts'

/** A new state of a transcription, with the fields of that state. */
export type TranscriptionMove =
  | { to: 'processing' | 'retrying' }
  | { to: 'done'; resultKey: string }
  | { to: 'error' | 'request_error'; failureReason: string }

/**
 * Moves a transcription of a locked recording to another state and notifies the tenant of its end (W6), in one transaction.
 * Returns false and changes nothing when the present state does not allow it.
 */
export async function moveTranscription(
  tx: Tx,
  transcription: Transcription,
  move: TranscriptionMove & { at: Date },
): Promise<boolean> {
  const { id, status } = transcription
  const { to, at } = move
  const from: readonly TranscriptionStatus[] = TRANSCRIPTION_ENTERED_FROM[to]
  if (!from.includes(status)) return false
  const resultKey = 'resultKey' in move ? move.resultKey : null
  const failureReason = 'failureReason' in move ? move.failureReason : null
  if (!(await updateStatus(tx, id, { from: status, to, resultKey, failureReason, at })))
    return false
  if (to !== 'processing' && to !== 'retrying') {
    await giveUpParts(tx, transcription)
    await publishEnd(tx, transcription, { status: to, failure_reason: failureReason, at })
  }
  return true
}

type End = Pick<TranscriptionCompletedData, 'status' | 'failure_reason'> & { at: Date }

async function publishEnd(
  tx: Tx,
  { id, tenantId, recordingId, roomId, language }: Transcription,
  { at, ...end }: End,
): Promise<void> {
  await recordWebhookEvent(tx, {
    tenantId,
    type: 'transcription.completed',
    streamKey: `transcription:${id}`,
    dedupeKey: `transcription:${id}:final`,
    occurredAt: at,
    data: {
      transcription_id: id,
      recording_id: recordingId,
      room_id: roomId,
      ...(await findSessionRef(tx, roomId)),
      language,
      ...end,
    },
  })
}
