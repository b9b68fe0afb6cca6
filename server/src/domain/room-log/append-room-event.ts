import type { Tx } from '../../platform/db/db.ts'
import type { RoomMoment } from './clock-store.ts'
import { ofAClock } from './room-clock.ts'
import { appendEvent, hasRoomEvent, type NewRoomEvent } from './room-event-store.ts'
import type { LockedRoomKey } from './room-lock.ts'

/** Writes an event into the log of a locked room, in the transaction that caused it. Returns its time. */
export async function appendRoomEvent(
  tx: Tx,
  event: NewRoomEvent & LockedRoomKey,
): Promise<RoomMoment> {
  return ofAClock(await appendEvent(tx, event))
}

/**
 * The same, unless the room's log already has an event of this type, or has one after the position `after` if it is given.
 */
export async function appendRoomEventOnce(
  tx: Tx,
  event: NewRoomEvent & LockedRoomKey & { after?: bigint },
): Promise<void> {
  if (!(await hasRoomEvent(tx, event))) await appendRoomEvent(tx, event)
}
