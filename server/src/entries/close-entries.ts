import type { Tx } from '../db/db.ts'

/** Closes every open entry of a room. */
export async function closeOpenEntries(
  _tx: Tx,
  _close: { roomId: string; at: Date },
): Promise<void> {}
