import type { Tx } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { HeldRoomKey, RoomKey } from '../room-log/room-lock.ts'
import { lockRoom } from './room-store.ts'

/**
 * Locks the room for a change inside it, until the transaction ends. Everything that changes
 * something in a room does this first, whatever it is addressed by. Throws 404 NOT_FOUND.
 */
export async function holdRoom(tx: Tx, key: RoomKey): Promise<HeldRoomKey> {
  const held = await lockRoom(tx, key)
  if (held === undefined) throw new ServiceError('NOT_FOUND')
  return held
}
