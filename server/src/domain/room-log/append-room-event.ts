import type { Tx } from '../../platform/db/db.ts'
import { ofAClock, type RoomMoment } from './room-clock.ts'
import { appendEvent, hasRoomEvent, type NewRoomEvent } from './room-event-store.ts'
import type { LockedRoomKey } from './room-lock.ts'

/** Writes a fact into the log of a room that is held, in the transaction that made it true; answers when that was. */
export async function appendRoomEvent(
  tx: Tx,
  event: NewRoomEvent & LockedRoomKey,
): Promise<RoomMoment> {
  return ofAClock(await appendEvent(tx, event))
}

/** The same, unless the room's log has a fact of this type already. */
export async function appendRoomEventOnce(
  tx: Tx,
  event: NewRoomEvent & LockedRoomKey,
): Promise<void> {
  if (!(await hasRoomEvent(tx, event))) await appendRoomEvent(tx, event)
}
