import type { RecordingStatus } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../db/db.ts'
import { recordWebhookEvent } from '../webhooks/record-event.ts'
import { type Announced, announce } from './announce.ts'
import { findSessionRef } from './find-session-ref.ts'
import { RECORDING_ENTERED_FROM } from './recording.ts'
import { type HeldRecording, type RecordingFile, updateStatus } from './store.ts'

/** Where a recording goes, with what belongs to that state. */
export type RecordingMove =
  | { to: 'started' | 'paused' | 'stopped' | 'available' | 'expired' }
  | { to: 'uploaded'; file: RecordingFile }
  | { to: 'failed'; failureReason: string }

/**
 * Moves a held recording to another state and tells the tenant (W3) and the room, in one
 * transaction. False when the state cannot be entered from where the recording is: then nothing
 * has changed.
 */
export async function moveRecording(
  tx: Tx,
  recording: HeldRecording,
  move: RecordingMove & { at: Date },
): Promise<boolean> {
  const { id, status } = recording
  const { to, at } = move
  const from: readonly RecordingStatus[] = RECORDING_ENTERED_FROM[to]
  if (!from.includes(status)) return false
  const failureReason = move.to === 'failed' ? move.failureReason : null
  const file = move.to === 'uploaded' ? move.file : null
  const version = await updateStatus(tx, id, { from: status, to, file, failureReason, at })
  if (version === undefined) return false
  await tellOfStatus(tx, recording, { to, from: status, failureReason, version, at })
  return true
}

interface StatusNews {
  to: RecordingStatus
  /** Null for the first status. */
  from: RecordingStatus | null
  failureReason: string | null
  version: number
  at: Date
}

/** W3, and what the room is told. */
export async function tellOfStatus(
  tx: Tx,
  recording: Announced,
  { to, from, failureReason, version, at }: StatusNews,
): Promise<void> {
  const { id, tenantId, roomId } = recording
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
      previous_status: from,
      failure_reason: failureReason,
    },
  })
  await announce(tx, recording, { to, from, failureReason })
}
