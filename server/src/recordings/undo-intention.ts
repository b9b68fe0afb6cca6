import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { RoomKey } from '../rooms/find-room-key.ts'
import { holdRoom } from '../rooms/hold-room.ts'
import { followRecordingRequest } from './follow-recording-request.ts'
import { deleteIntention, findRunning } from './running-store.ts'
import { askToEnd } from './segment-store.ts'

/** A recording that the provider did not begin is none. False when it has begun meanwhile. */
export async function undoIntention(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key: RoomKey & { recordingId: string },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await holdRoom(tx, key)
    return giveUpIntention(tx, key, clock())
  })
}

/**
 * The same for who holds the room's lock. Its parts stay for a while: an egress whose answer was
 * lost is found by them, and ended.
 */
export async function giveUpIntention(
  tx: Tx,
  { roomId, recordingId }: { roomId: string; recordingId: string },
  now: Date,
): Promise<boolean> {
  const running = await findRunning(tx, roomId)
  if (running?.id !== recordingId || !running.isIntention) return false
  await askToEnd(tx, recordingId, now)
  await deleteIntention(tx, recordingId)
  await enqueue(tx, followRecordingRequest(roomId))
  return true
}
