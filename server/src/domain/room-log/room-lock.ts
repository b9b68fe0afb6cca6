import { type Tx, reserveSlotFor } from '../../platform/db/db.ts'
import { lockByName, lockInTurn } from '../../platform/db/named-locks.ts'

export interface RoomKey {
  tenantId: string
  roomId: string
}

declare const lock: unique symbol

/**
 * A room whose lock this transaction holds, shared or exclusive. Only `queueForRoom` returns one, and everything that moves
 * the room's clock requires one. So the lock always comes before the clock, and two transactions in one room cannot
 * deadlock.
 */
export interface LockedRoom {
  readonly roomId: string
  readonly [lock]: 'locked'
}

/** The same with the tenant, to write rows of the tenant. */
export type LockedRoomKey = LockedRoom & RoomKey

/**
 * The room's lock queue, first come, first served. Operations in the room share it, and a change of the room's state takes
 * it exclusively. A row lock is not enough: PostgreSQL grants a shared one past a waiting exclusive one, so a close or a
 * ban would never get its turn in a busy room. A transaction with the shared lock must not ask for the exclusive one.
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

/** Takes the shared lock and then the lock of this name, in one statement. */
export async function queueForRoomAndName(tx: Tx, roomId: string, name: string): Promise<void> {
  reserveSlotInRoom(tx, roomId)
  await lockInTurn(tx, { name: nameOf(roomId), mode: 'shared' }, { name, mode: 'alone' })
}

/** Takes the lock of this name and then the shared one. While waiting for the name it holds no other lock. */
export async function queueForNameAndRoom(
  tx: Tx,
  name: string,
  roomId: string,
): Promise<LockedRoom> {
  reserveSlotInRoom(tx, roomId)
  await lockInTurn(tx, { name, mode: 'alone' }, { name: nameOf(roomId), mode: 'shared' })
  return { roomId } as LockedRoom
}

/** Call this before taking further locks together with the room's lock: the slot comes first. */
export function reserveSlotInRoom(tx: Tx, roomId: string): void {
  reserveSlotFor(tx, nameOf(roomId))
}

function nameOf(roomId: string): string {
  return `room:${roomId}`
}
