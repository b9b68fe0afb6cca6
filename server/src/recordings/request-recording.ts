import type { OutputMode } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../db/db.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { uuidv7 } from '../lib/uuid.ts'
import type { RoomKey } from '../rooms/find-room-key.ts'
import { nextRoomMoment } from '../rooms/room-clock.ts'
import type { HeldRoomKey } from '../rooms/room-lock.ts'
import { newVideoKey } from '../storage/object-key.ts'
import { followRecordingRequest } from './follow-recording-request.ts'
import { insertIntention } from './running-store.ts'
import type { SegmentPerson } from './segment.ts'
import { insertSegment } from './segment-store.ts'

/** For a room whose lock is held. */
export interface RecordingOrder extends HeldRoomKey {
  outputMode: OutputMode
  isAutomatic: boolean
  /** Whose parts an individual recording begins with. */
  people: readonly SegmentPerson[]
}

/**
 * Writes down that the room shall be recorded. Nobody sees the recording until the provider has
 * answered; a job asks it when the caller does not come to it. Answers the id, or undefined when a recording runs already.
 */
export async function requestRecording(
  tx: Tx,
  order: RecordingOrder,
  now: Date,
): Promise<string | undefined> {
  const { tenantId, roomId, outputMode, isAutomatic, people } = order
  const id = uuidv7(now.getTime())
  const { seq } = await nextRoomMoment(tx, order)
  const recording = { id, tenantId, roomId, seq, outputMode, isAutomatic, at: now }
  if (!(await insertIntention(tx, recording))) return undefined
  await requestSegments(tx, { tenantId, roomId, recordingId: id, outputMode, people }, now)
  return id
}

interface SegmentOrder extends RoomKey {
  recordingId: string
  outputMode: OutputMode
  people: readonly SegmentPerson[]
  /** How often the recording was resumed before. */
  position?: number
  attempt?: number
}

/** The parts that a recording goes on with: one of everybody together, or one for each person. */
export async function requestSegments(tx: Tx, order: SegmentOrder, now: Date): Promise<void> {
  const { tenantId, roomId, recordingId, outputMode, people, position = 0, attempt = 1 } = order
  const ofWhom = outputMode === 'composed' ? [null] : people
  for (const person of ofWhom) {
    await insertSegment(tx, {
      id: uuidv7(now.getTime()),
      roomId,
      recordingId,
      position,
      person,
      attempt,
      storageKey: newVideoKey(tenantId, 'recording-parts'),
      createdAt: now,
    })
  }
  await enqueue(tx, followRecordingRequest(roomId))
}
