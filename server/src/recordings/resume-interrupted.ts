import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { holdRoom } from '../rooms/hold-room.ts'
import { failRecording } from './fail-recording.ts'
import { finishRecordingRequest } from './finish-recording-request.ts'
import { moveRecording } from './move-recording.ts'
import { requestSegments } from './request-recording.ts'
import {
  countRestart,
  findInterrupted,
  type Interrupted,
  type RecordedRoom,
  setStopped,
} from './running-store.ts'
import { isFinal, type Segment } from './segment.ts'
import { listSegments } from './segment-store.ts'
import { type HeldRecording, lockRecording } from './store.ts'

/** Before the next try, when one did not begin. */
const AFTER_FAILED_RESTART_MS = 10_000

/**
 * Lets a recording go on whose recorder died, in a part of its own, as often as `RESTARTS_MAX`; then what
 * there is becomes available, or the recording fails. Answers when to look again.
 */
export async function resumeInterrupted(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  room: RecordedRoom,
): Promise<Date | undefined> {
  if ((await findInterrupted(db, room.roomId)) === undefined) return undefined
  return inTransaction(db, async (tx) => {
    const now = clock()
    const held = await holdRoom(tx, room)
    const interrupted = await findInterrupted(tx, room.roomId)
    const recording = interrupted && (await lockRecording(tx, held, interrupted.id))
    if (interrupted === undefined || recording === undefined) return undefined
    const segments = await listSegments(tx, recording.id)
    if (segments.some((each) => !isFinal(each))) return undefined

    const failed = failedRestartOf(segments, interrupted)
    if (failed !== undefined) {
      const at = new Date(failed.statusAt.getTime() + AFTER_FAILED_RESTART_MS)
      if (now < at) return at
      if (!(await countRestart(tx, recording.id))) return giveUp(tx, recording, { segments, now })
    }
    const { id: recordingId, tenantId, roomId, outputMode } = recording
    const position = Math.max(0, ...segments.map((each) => each.position)) + 1
    const order = { tenantId, roomId, recordingId, outputMode, people: [], position }
    await requestSegments(tx, order, now)
    return undefined
  })
}

/** The part that was to go on, and did not begin. */
function failedRestartOf(
  segments: readonly Segment[],
  { interruptedAt }: Interrupted,
): Segment | undefined {
  return segments.findLast(({ createdAt }) => createdAt >= interruptedAt)
}

async function giveUp(
  tx: Tx,
  recording: HeldRecording,
  { segments, now }: { segments: readonly Segment[]; now: Date },
): Promise<undefined> {
  if (!segments.some(({ status }) => status === 'complete')) {
    await failRecording(tx, recording, { reason: 'provider_failed', now })
    return
  }
  await setStopped(tx, { id: recording.id, reason: 'provider', at: now })
  await moveRecording(tx, recording, { to: 'stopped', at: now })
  await enqueue(tx, finishRecordingRequest(recording))
}
