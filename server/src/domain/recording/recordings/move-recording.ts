import type { RecordingStatus } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { recordWebhookEvent } from '../../../platform/webhooks/record-event.ts'
import { findSessionRef } from '../../booking/read-bookings.ts'
import { sendArchiveStatus } from '../../chat/send-archive-status.ts'
import { requestRightsAfterRecording } from '../../people/update-media-rights.ts'
import { appendRoomEvent } from '../../room-log/append-room-event.ts'
import { publishLiveEvent } from '../../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../../room-log/room-lock.ts'
import { logRecordingStopRequest, followRecordingRequest } from './recording-requests.ts'
import { isRunning, RECORDING_ENTERED_FROM, type Recording, type StopReason } from './recording.ts'
import { storeReport } from './report-completeness.ts'
import { endInterval } from './report-store.ts'
import { setStopped } from './running-store.ts'
import { giveUpSegments, listSegments } from './segment-store.ts'
import { startedAtOf } from './segment.ts'
import { type LockedRecording, type RecordingFile, updateStatus } from './store.ts'

/** A new state of a recording, with the fields of that state. */
export type RecordingMove =
  | { to: 'started' | 'expired' }
  | { to: 'stopped'; reason: StopReason }
  /** `isInterruption`: its recorder failed, and nobody asked for the pause. */
  | { to: 'paused'; isInterruption?: boolean }
  | { to: 'available'; file?: RecordingFile | undefined }
  | { to: 'uploaded'; file: RecordingFile }
  | { to: 'failed'; failureReason: string }

/**
 * Moves a locked recording to another state and notifies the tenant (W3) and the room, in one transaction. Returns false
 * and changes nothing when the present state does not allow it.
 */
export async function moveRecording(
  tx: Tx,
  recording: LockedRecording,
  move: RecordingMove & { at: Date },
): Promise<boolean> {
  const { id, status } = recording
  const { to, at } = move
  const from: readonly RecordingStatus[] = RECORDING_ENTERED_FROM[to]
  if (!from.includes(status)) return false
  const failureReason = move.to === 'failed' ? move.failureReason : null
  const file = 'file' in move ? (move.file ?? null) : null
  const version = await updateStatus(tx, id, { from: status, to, file, failureReason, at })
  if (version === undefined) return false
  const why = reasonsOf(move)
  await publishStatusChange(tx, recording, { to, from: status, failureReason, why, version, at })
  const hasEnded = isRunning(recording) && !isRunning({ status: to })
  if (hasEnded) await requestRightsAfterRecording(tx, recording.roomId)
  return true
}

function reasonsOf(move: RecordingMove): Reasons {
  if (move.to === 'stopped') return { reason: move.reason }
  return move.to === 'paused' && move.isInterruption === true ? { cause: 'recorder_failed' } : {}
}

/** Ends a locked recording, whose segments become its file. An ended one stays as it is. */
export async function endRecording(
  tx: Tx,
  recording: LockedRecording,
  { reason, now }: { reason: StopReason; now: Date },
): Promise<void> {
  await setStopped(tx, { id: recording.id, reason, at: now })
  await endInterval(tx, recording.id, now)
  if (!(await moveRecording(tx, recording, { to: 'stopped', reason, at: now }))) return
  await enqueue(tx, logRecordingStopRequest(recording, reason))
}

/**
 * Fails a locked recording that has nothing to publish. Its written segments, and those still being written, stay until it
 * is deleted or its retention ends.
 */
export async function failRecording(
  tx: Tx,
  recording: LockedRecording,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  await setStopped(tx, { id: recording.id, reason: 'provider', at: now })
  await endInterval(tx, recording.id, now)
  const move = { to: 'failed', failureReason: reason, at: now } as const
  if (!(await moveRecording(tx, recording, move))) return
  // The room's log already has the failure of the whole recording.
  await storeReport(tx, recording, { now, isAnnounced: false })
  await giveUpSegments(tx, recording.id, { at: now, keepsWritten: true })
  await enqueue(tx, followRecordingRequest(recording.roomId))
}

/**
 * Expires a locked available recording with its remaining segments. For a failed one, deletes only the segments. The caller
 * deletes the file. Returns false if it was not available.
 */
export async function expireRecording(
  tx: Tx,
  recording: LockedRecording,
  now: Date,
): Promise<boolean> {
  const hasExpired = await moveRecording(tx, recording, { to: 'expired', at: now })
  await giveUpSegments(tx, recording.id, { at: now })
  await enqueue(tx, followRecordingRequest(recording.roomId))
  return hasExpired
}

interface Reasons {
  /** Only for a stop. */
  reason?: StopReason
  /** Only for a pause that nobody asked for. */
  cause?: 'recorder_failed'
}

interface Announcement {
  to: RecordingStatus
  /** Null for the first status. */
  from: RecordingStatus | null
  failureReason: string | null
  why?: Reasons
  version: number
  at: Date
}

type AnnouncedRecording = Pick<Recording, 'id'> & LockedRoomKey

/** Event types in the room's log. The contract names `recording.failed`. */
const ROOM_EVENT = {
  started: 'recording.started',
  paused: 'recording.paused',
  stopped: 'recording.stopped',
  failed: 'recording.failed',
} as const

/** Publishes the change to the tenant (W3), and in the room: in the log, in the chat and on the open pages. */
export async function publishStatusChange(
  tx: Tx,
  recording: AnnouncedRecording,
  { to, from, failureReason, why, version, at }: Announcement,
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
  if (to === 'uploaded' || to === 'available' || to === 'expired') return
  await appendRoomEvent(tx, {
    ...recording,
    eventType: from === 'paused' && to === 'started' ? 'recording.resumed' : ROOM_EVENT[to],
    payload: {
      recording_id: id,
      ...(failureReason !== null && { failure_reason: failureReason }),
      ...why,
    },
  })
  const text = await chatWordOf(tx, id, { to, from })
  if (text !== undefined) await sendArchiveStatus(tx, recording, text)
  await publishLiveEvent(tx, recording, { name: 'recording' })
}

/** The status for the chat. Returns undefined without one. The start is reported once media is being written. */
async function chatWordOf(
  tx: Tx,
  id: string,
  { to, from }: Pick<Announcement, 'to' | 'from'>,
): Promise<'paused' | 'stopped' | undefined> {
  if (to === 'paused' || to === 'stopped') return to
  if (to !== 'failed') return undefined
  // To people in the room a failure is an ordinary end, if they were told of the beginning.
  if (from !== 'started') return from === 'paused' ? 'stopped' : undefined
  const wasAnnounced = (await listSegments(tx, id)).some(
    (each) => startedAtOf(each) !== null || each.position > 0,
  )
  return wasAnnounced ? 'stopped' : undefined
}
