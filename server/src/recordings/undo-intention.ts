import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { RoomKey } from '../rooms/find-room-key.ts'
import { holdRoom } from '../rooms/hold-room.ts'
import { followRecordingRequest } from './follow-recording-request.ts'
import { deleteIntention, findRunning, keepAsWord } from './running-store.ts'
import { giveUpSegments } from './segment-store.ts'

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
 * lost is found by them, and ended. `isWord`: a moderator wants no recording, so that none begins
 * by itself; it is remembered.
 */
export async function giveUpIntention(
  tx: Tx,
  {
    roomId,
    recordingId,
    isWord = false,
  }: { roomId: string; recordingId: string; isWord?: boolean },
  now: Date,
): Promise<boolean> {
  const running = await findRunning(tx, roomId)
  if (running?.id !== recordingId || !running.isIntention) return false
  await giveUpSegments(tx, recordingId, now)
  if (isWord) await keepAsWord(tx, recordingId, now)
  else await deleteIntention(tx, recordingId)
  await enqueue(tx, followRecordingRequest(roomId))
  return true
}
