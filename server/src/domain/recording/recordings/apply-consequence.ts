import type { Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { appendRoomEvent } from '../../room-log/append-room-event.ts'
import type { Transition } from './decide-segment.ts'
import { endRecording, failRecording, moveRecording } from './move-recording.ts'
import { requestSegments } from './order-recording.ts'
import { finishRecordingRequest, followRecordingRequest } from './recording-requests.ts'
import { markInterrupted } from './running-store.ts'
import type { Consequence } from './segment-consequence.ts'
import { requestEnd } from './segment-store.ts'
import type { LockedRecording } from './store.ts'

/** Applies the consequences of its segments to a locked recording. */
export async function applyConsequence(
  tx: Tx,
  recording: LockedRecording,
  { consequence, now }: { consequence: Consequence; now: Date },
): Promise<void> {
  const { id, tenantId, roomId, outputMode } = recording
  switch (consequence.do) {
    case 'again': {
      const { position, person } = consequence.segment
      const people = person === null ? [] : [person]
      const order = { tenantId, roomId, recordingId: id, outputMode, people, position, attempt: 2 }
      return requestSegments(tx, order, now)
    }
    case 'note_loss':
      return noteLoss(tx, recording, consequence.reason)
    case 'stop':
      return endRecording(tx, recording, { reason: 'provider', now })
    case 'fail':
      return failRecording(tx, recording, { reason: consequence.reason, now })
    case 'finish':
      return enqueue(tx, finishRecordingRequest(recording))
  }
}

/** Logs that a segment is lost. The rest is kept, and the recording still becomes available. */
export async function noteLoss(tx: Tx, recording: LockedRecording, reason: string): Promise<void> {
  const payload = { recording_id: recording.id, failure_reason: reason, is_partly_kept: true }
  await appendRoomEvent(tx, { ...recording, eventType: 'recording.failed', payload })
}

/** Logs that the file of a segment was cut at one of the provider's limits. */
export async function noteLimit(tx: Tx, recording: LockedRecording): Promise<void> {
  const payload = { recording_id: recording.id }
  await appendRoomEvent(tx, { ...recording, eventType: 'recording.limit_reached', payload })
}

/**
 * Pauses a running recording until another segment begins. In an individual recording the others continue, and this person
 * gets another segment.
 */
export async function interruptRecording(
  tx: Tx,
  recording: LockedRecording,
  { how, now }: { how: NonNullable<Transition['interrupts']>; now: Date },
): Promise<void> {
  const { id, roomId, outputMode, status } = recording
  if (outputMode !== 'composed' || status !== 'started') return
  if (await markInterrupted(tx, { id, at: now })) {
    await moveRecording(tx, recording, { to: 'paused', isInterruption: true, at: now })
    if (how !== 'pause_all') return
    // Continue without waiting for the end, because delivering the file may take a while.
    await requestEnd(tx, id, now)
    await enqueue(tx, followRecordingRequest(roomId))
  } else if (how === 'pause_or_stop') {
    // It was interrupted too often. The next one begins without waiting for this recorder.
    await endRecording(tx, recording, { reason: 'provider', now })
  }
}
