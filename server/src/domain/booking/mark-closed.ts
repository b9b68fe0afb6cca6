import type { Tx } from '../../platform/db/db.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import { readRoom } from './read-bookings.ts'
import { hasEntries, markCancelled, markClosed } from './room-store.ts'
import type { Room } from './room.ts'
import { isCancelledByClose } from './session.ts'

interface Close {
  at: Date
  /** True when the session is cancelled, regardless of the time and of earlier entries. */
  isCancellation: boolean
}

/**
 * Marks a locked room closed, once. It marks the session cancelled if this close cancels it: before the slot, if nobody has
 * ever entered. Returns the room after that, and whether it was open before.
 */
export async function markRoomClosed(
  tx: Tx,
  locked: LockedRoomKey,
  { at, isCancellation }: Close,
): Promise<{ room: Room; isNew: boolean }> {
  const isNew = await markClosed(tx, locked, at)
  const room = await readRoom(tx, locked)
  const { session } = room
  if (session === null) return { room, isNew }
  const isCancelled =
    isCancellation ||
    (isNew &&
      isCancelledByClose(session, { hasEntries: await hasEntries(tx, locked.roomId), now: at }))
  if (!isCancelled) return { room, isNew }
  await markCancelled(tx, locked, at)
  return {
    room: { ...room, session: { ...session, cancelledAt: session.cancelledAt ?? at } },
    isNew,
  }
}
