import type { Tx } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { LockedRoomKey, RoomKey } from '../room-log/room-lock.ts'
import { findLockedRoom } from './room-store.ts'

/**
 * Locks the room exclusively until the transaction ends. Every change in a room does this first, whichever id addresses it.
 * Throws 404 NOT_FOUND.
 */
export async function lockRoom(tx: Tx, key: RoomKey): Promise<LockedRoomKey> {
  const locked = await findLockedRoom(tx, key)
  if (locked === undefined) throw new ServiceError('NOT_FOUND')
  return locked
}
