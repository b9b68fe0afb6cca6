import type { Tx } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { LockedRoomKey, RoomKey } from '../room-log/room-lock.ts'
import { findLockedRoom } from './room-store.ts'

/**
 * Locks the room for a change inside it, until the transaction ends. Everything that changes
 * something in a room does this first, whatever it is addressed by. Throws 404 NOT_FOUND.
 */
export async function lockRoom(tx: Tx, key: RoomKey): Promise<LockedRoomKey> {
  const locked = await findLockedRoom(tx, key)
  if (locked === undefined) throw new ServiceError('NOT_FOUND')
  return locked
}
