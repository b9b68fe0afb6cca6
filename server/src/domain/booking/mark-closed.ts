import { type Tx, together } from '../../platform/db/db.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import { readRoom } from './read-bookings.ts'
import { hasEntries, markClosed } from './room-store.ts'
import type { Room } from './room.ts'
import { isCancelledByClose } from './session.ts'

export { markCancelled } from './room-store.ts'

interface Close {
  at: Date
  /** True when the session is cancelled, regardless of the time and of earlier entries. */
  isCancellation: boolean
}

/** A room after its close. */
interface ClosedRoom {
  room: Room
  /** True if it was open before. */
  isNew: boolean
  /** True if its session is cancelled by this close, which `markCancelled` writes. */
  isCancelled: boolean
}

/**
 * Marks a locked room closed, once, in one round trip. The close cancels the session if it comes before the slot and nobody has
 * ever entered.
 */
export async function markRoomClosed(
  tx: Tx,
  locked: LockedRoomKey,
  { at, isCancellation }: Close,
): Promise<ClosedRoom> {
  const [isNew, room, isUsed] = await together([
    markClosed(tx, locked, at),
    readRoom(tx, locked),
    hasEntries(tx, locked.roomId),
  ])
  const { session } = room
  if (session === null) return { room, isNew, isCancelled: false }
  const isCancelled =
    isCancellation || (isNew && isCancelledByClose(session, { hasEntries: isUsed, now: at }))
  if (!isCancelled) return { room, isNew, isCancelled }
  const cancelledAt = session.cancelledAt ?? at
  return { room: { ...room, session: { ...session, cancelledAt } }, isNew, isCancelled }
}
