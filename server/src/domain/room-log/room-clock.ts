import type { Tx } from '../../platform/db/db.ts'
import { advanceClock, advanceEntryClock, type RoomMoment } from './clock-store.ts'
import type { LockedRoom } from './room-lock.ts'

export { advancingClock, insertClocks } from './clock-store.ts'

/**
 * Takes the next position in a room's logs. It waits for every other writer of the room, and later ones wait until this
 * transaction ends, so take it as late as possible. In return, a list by `seq` misses no row.
 */
export async function nextRoomMoment(tx: Tx, { roomId }: LockedRoom): Promise<RoomMoment> {
  return ofAClock(await advanceClock(tx, roomId))
}

/**
 * The position of an entry in its room's log. Its time is the provider's, but never in the future and always after the
 * room's last entry, so that the order by `seq` is the order by `entered_at`.
 */
export async function nextEntryMoment(
  tx: Tx,
  { roomId }: LockedRoom,
  times: { joinedAt: Date; now: Date },
): Promise<{ seq: bigint; enteredAt: Date }> {
  return ofAClock(await advanceEntryClock(tx, roomId, times))
}

/** Throws if the room has no clock: every room has one. */
export function ofAClock<T>(moment: T | undefined): T {
  if (moment === undefined) throw new Error('room has no clock')
  return moment
}
