import type { OutputMode } from '@interview-room/contract/vocabulary.ts'
import { inTransaction, type Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { newVideoKey } from '../../../platform/storage/object-key.ts'
import { lockRoom } from '../../booking/lock-room.ts'
import { nextRoomMoment } from '../../room-log/room-clock.ts'
import type { LockedRoomKey, RoomKey } from '../../room-log/room-lock.ts'
import { endRecording } from './move-recording.ts'
import { followRecordingRequest } from './recording-requests.ts'
import type { StopReason } from './recording.ts'
import { beginInterval } from './report-store.ts'
import { deleteIntention, findRunning, insertIntention, markCommandGiven } from './running-store.ts'
import { requestEnd, giveUpSegments, insertSegment } from './segment-store.ts'
import type { SegmentPerson } from './segment.ts'
import { findLockedRecording } from './store.ts'

/** An order to record a locked room. */
export interface RecordingOrder extends LockedRoomKey {
  outputMode: OutputMode
  isAutomatic: boolean
  /** The people whose segments an individual recording begins with. */
  people: readonly SegmentPerson[]
}

/**
 * Stores the order to record the room. The recording stays invisible until the provider has answered a job. The
 * caller has found none that is running. Returns the id.
 */
export async function requestRecording(tx: Tx, order: RecordingOrder, now: Date): Promise<string> {
  const { tenantId, roomId, outputMode, isAutomatic, people } = order
  const id = uuidv7(now.getTime())
  const { seq } = await nextRoomMoment(tx, order)
  const recording = { id, tenantId, roomId, seq, outputMode, isAutomatic, at: now }
  await insertIntention(tx, recording)
  await beginInterval(tx, id, now)
  await requestSegments(tx, { tenantId, roomId, recordingId: id, outputMode, people }, now)
  return id
}

interface SegmentOrder extends RoomKey {
  recordingId: string
  outputMode: OutputMode
  people: readonly SegmentPerson[]
  /** Number of resumes before. */
  position?: number
  attempt?: number
}

/** Stores the next segments of a recording: one for everybody together, or one per person. */
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

/** Stops the running recording of a room, if any, and keeps what was recorded. A job calls the provider. */
export async function stopRecording(
  tx: Tx,
  room: LockedRoomKey,
  { reason, now }: { reason: StopReason; now: Date },
): Promise<void> {
  const running = await findRunning(tx, room.roomId)
  if (running !== undefined) await stopRunning(tx, room, running, { reason, now })
}

export { findRunning } from './running-store.ts'

/** The same for a caller who has found the running recording in the locked room. */
export async function stopRunning(
  tx: Tx,
  room: LockedRoomKey,
  { id }: { id: string },
  { reason, now }: { reason: StopReason; now: Date },
): Promise<void> {
  const { roomId } = room
  const recording = await findLockedRecording(tx, room, id)
  if (recording === undefined) {
    return giveUpIntention(tx, { id, roomId, isCommand: reason === 'moderator' }, now)
  }
  await endRecording(tx, recording, { reason, now })
  await requestEnd(tx, id, now)
  await enqueue(tx, followRecordingRequest(roomId))
}

/** Undoes a recording that the provider did not start. Returns false when it has begun meanwhile. */
export async function undoIntention(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key: RoomKey & { recordingId: string },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockRoom(tx, key)
    const running = await findRunning(tx, key.roomId)
    if (running?.id !== key.recordingId || !running.isIntention) return false
    await giveUpIntention(tx, { ...running, roomId: key.roomId }, clock())
    return true
  })
}

/**
 * Its segments stay for a while, so that an egress whose answer was lost can be found and ended. `isCommand`: a moderator wants
 * no recording. That is stored, so that none starts automatically.
 */
async function giveUpIntention(
  tx: Tx,
  { id, roomId, isCommand = false }: { id: string; roomId: string; isCommand?: boolean },
  now: Date,
): Promise<void> {
  await giveUpSegments(tx, id, { at: now })
  if (isCommand) await markCommandGiven(tx, id, now)
  else await deleteIntention(tx, id)
  await enqueue(tx, followRecordingRequest(roomId))
}
