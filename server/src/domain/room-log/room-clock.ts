import type { Tx } from '../../platform/db/db.ts'
import { advanceClock, advanceEntryClock, type RoomMoment } from './clock-store.ts'
import type { LockedRoom } from './room-lock.ts'

export { advancingClock, insertClocks } from './clock-store.ts'

/**
 * The next position in a room's logs. Queues behind everybody else who writes into the room until
 * this transaction ends, so take it as late as possible: that makes a list by `seq` miss no row.
 */
export async function nextRoomMoment(tx: Tx, { roomId }: LockedRoom): Promise<RoomMoment> {
  return ofAClock(await advanceClock(tx, roomId))
}

/**
 * The place of an entry in its room's log: at the provider's time, but never in the future and
 * always behind the room's last entry, so that the order by `seq` is the order by `entered_at`.
 */
export async function nextEntryMoment(
  tx: Tx,
  { roomId }: LockedRoom,
  times: { joinedAt: Date; now: Date },
): Promise<{ seq: bigint; enteredAt: Date }> {
  return ofAClock(await advanceEntryClock(tx, roomId, times))
}

/** Every room has one. */
export function ofAClock<T>(moment: T | undefined): T {
  if (moment === undefined) throw new Error('room has no clock')
  return moment
}
