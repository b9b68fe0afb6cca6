import type { Tx } from '../db/db.ts'
import { markAllLeft, markLeft, markParticipantLeft } from './store.ts'

/** Fills `left_at` of one media connection; a repeat changes nothing. */
export async function closeEntry(
  tx: Tx,
  left: { roomId: string; mediaSid: string; at: Date },
): Promise<void> {
  await markLeft(tx, left)
}

/** Closes every open entry of a room: it was closed, or its media room is gone. */
export async function closeOpenEntries(tx: Tx, close: { roomId: string; at: Date }): Promise<void> {
  await markAllLeft(tx, close)
}

/** Closes every open entry of a participant, who was put out. */
export async function closeEntriesOf(
  tx: Tx,
  close: { roomId: string; participantId: string; at: Date },
): Promise<void> {
  await markParticipantLeft(tx, close)
}
