import { lockByName, type Tx } from '../db/db.ts'

/**
 * The queue in front of a room, first come, first served: those who do something in it share it, who
 * changes its state has it alone. The lock of the row is not enough: PostgreSQL grants a shared one past
 * whoever waits to be alone, so that a close or a ban would never have its turn in a busy room.
 */
export async function queueForRoom(
  tx: Tx,
  roomId: string,
  mode: 'shared' | 'alone',
): Promise<void> {
  await lockByName(tx, `room:${roomId}`, mode)
}
