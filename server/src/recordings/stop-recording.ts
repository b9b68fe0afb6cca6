import type { Tx } from '../db/db.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { HeldRoomKey } from '../rooms/room-lock.ts'
import { followRecordingRequest } from './follow-recording-request.ts'
import { moveRecording } from './move-recording.ts'
import type { StopReason } from './recording-need.ts'
import { findRunning, setStopped } from './running-store.ts'
import { askToEnd } from './segment-store.ts'
import { lockRecording } from './store.ts'
import { giveUpIntention } from './undo-intention.ts'

/**
 * Ends the recording that runs in a room, if any; what was recorded is kept. The provider is told by
 * a job.
 */
export async function stopRecording(
  tx: Tx,
  room: HeldRoomKey,
  { reason, now }: { reason: StopReason; now: Date },
): Promise<void> {
  const { roomId } = room
  const running = await findRunning(tx, roomId)
  if (running === undefined) return
  const { id } = running
  const recording = await lockRecording(tx, room, id)
  if (recording === undefined) {
    await giveUpIntention(tx, { roomId, recordingId: id, isWord: reason === 'moderator' }, now)
    return
  }
  await setStopped(tx, { id, reason, at: now })
  await moveRecording(tx, recording, { to: 'stopped', at: now })
  await askToEnd(tx, id, now)
  await enqueue(tx, followRecordingRequest(roomId))
}
