import type { Tx } from '../db/db.ts'
import type { HeldRoom } from './room-lock.ts'

export interface RoomMoment {
  /** Position in the room's logs: dense, in commit order. */
  seq: bigint
  /** Later than every earlier moment of the room. */
  at: Date
}

/**
 * The next position in a room's logs. Queues behind everybody else who writes into the room until
 * this transaction ends, so take it as late as possible: that makes a list by `seq` miss no row.
 */
export async function nextRoomMoment(tx: Tx, { roomId }: HeldRoom): Promise<RoomMoment> {
  const [moment] = await tx<RoomMoment[]>`
    update room_clocks
       set seq = seq + 1,
           at  = greatest(date_trunc('milliseconds', clock_timestamp()),
                          at + interval '1 millisecond')
     where room_id = ${roomId}
    returning seq, at
  `
  if (moment === undefined) throw new Error('room has no clock')
  return moment
}
