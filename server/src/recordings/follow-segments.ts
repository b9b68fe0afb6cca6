import type { Tx } from '../db/db.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { appendRoomEvent } from '../room-events/append-room-event.ts'
import type { HeldRoomKey } from '../rooms/room-lock.ts'
import { failRecording } from './fail-recording.ts'
import { finishRecordingRequest } from './finish-recording-request.ts'
import { moveRecording } from './move-recording.ts'
import { requestSegments } from './request-recording.ts'
import { setStopped } from './running-store.ts'
import { type Consequence, consequenceOf } from './segment-consequence.ts'
import { listSegments } from './segment-store.ts'
import { type HeldRecording, lockRecording } from './store.ts'

interface SegmentChange {
  recordingId: string
  movedId: string
  now: Date
  /** It was cut at a limit of the provider's. */
  hitLimit: boolean
}

/** Lets a recording follow what became of its parts. */
export async function followSegments(
  tx: Tx,
  room: HeldRoomKey,
  { recordingId, movedId, now, hitLimit }: SegmentChange,
): Promise<void> {
  const recording = await lockRecording(tx, room, recordingId)
  if (recording === undefined) return
  if (hitLimit) await noteLimit(tx, recording)
  const segments = await listSegments(tx, recording.id)
  for (const consequence of consequenceOf(recording, segments, movedId)) {
    await follow(tx, recording, { consequence, now })
  }
}

async function follow(
  tx: Tx,
  recording: HeldRecording,
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
      await setStopped(tx, { id, reason: 'provider', at: now })
      await moveRecording(tx, recording, { to: 'stopped', at: now })
      return
    case 'fail':
      return failRecording(tx, recording, { reason: consequence.reason, now })
    case 'finish':
      return enqueue(tx, finishRecordingRequest(recording))
  }
}

/** A part is lost. What else was recorded is kept, and the recording goes on to be available. */
export async function noteLoss(tx: Tx, recording: HeldRecording, reason: string): Promise<void> {
  const payload = { recording_id: recording.id, failure_reason: reason, is_partly_kept: true }
  await appendRoomEvent(tx, { ...recording, eventType: 'recording.failed', payload })
}

async function noteLimit(tx: Tx, recording: HeldRecording): Promise<void> {
  const payload = { recording_id: recording.id }
  await appendRoomEvent(tx, { ...recording, eventType: 'recording.limit_reached', payload })
}
