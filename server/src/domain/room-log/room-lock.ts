import { lockByName, lockInTurn, type Tx, reserveSlotFor } from '../../platform/db/db.ts'

export interface RoomKey {
  tenantId: string
  roomId: string
}

declare const lock: unique symbol

/**
 * A room whose lock this transaction has, shared or alone. Only `queueForRoom` gives one, and whatever
 * moves the room's clock asks for it: so the lock always comes before the clock, and two transactions
 * in one room cannot wait for each other.
 */
export interface LockedRoom {
  readonly roomId: string
  readonly [lock]: 'locked'
}

/** The same where rows of the tenant are written. */
export type LockedRoomKey = LockedRoom & RoomKey

/**
 * The queue in front of a room, first come, first served: operations in the room share it, and a change of
 * its state is exclusive. The lock of the row is not enough: PostgreSQL grants a shared one past a waiting
 * exclusive one, so that a close or a ban would never have its turn in a busy room. A transaction with the
 * shared lock must not ask for the exclusive one.
 */
export async function queueForRoom(
  tx: Tx,
  roomId: string,
  mode: 'shared' | 'alone',
): Promise<LockedRoom> {
  reserveSlotInRoom(tx, roomId)
  await lockByName(tx, nameOf(roomId), mode)
  return { roomId } as LockedRoom
}

/** The shared lock, and behind it the lock of this name, in one statement. */
export async function queueForRoomAndName(tx: Tx, roomId: string, name: string): Promise<void> {
  reserveSlotInRoom(tx, roomId)
  await lockInTurn(tx, { name: nameOf(roomId), mode: 'shared' }, { name, mode: 'alone' })
}

/** The lock of this name, and behind it the shared one: who waits for the name has no other lock. */
export async function queueForNameAndRoom(
  tx: Tx,
  name: string,
  roomId: string,
): Promise<LockedRoom> {
  reserveSlotInRoom(tx, roomId)
  await lockInTurn(tx, { name, mode: 'alone' }, { name: nameOf(roomId), mode: 'shared' })
  return { roomId } as LockedRoom
}

/** For what asks for more together with the lock: it needs the slot first. */
export function reserveSlotInRoom(tx: Tx, roomId: string): void {
  reserveSlotFor(tx, nameOf(roomId))
}

function nameOf(roomId: string): string {
  return `room:${roomId}`
}
