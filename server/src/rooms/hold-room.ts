import type { Tx } from '../db/db.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { RoomKey } from './find-room-key.ts'
import type { HeldRoomKey } from './room-lock.ts'
import { lockRoom } from './store.ts'

/**
 * Locks the room for a change inside it, until the transaction ends. Everything that changes
 * something in a room does this first, whatever it is addressed by. Throws 404 NOT_FOUND.
 */
export async function holdRoom(tx: Tx, key: RoomKey): Promise<HeldRoomKey> {
  const held = await lockRoom(tx, key)
  if (held === undefined) throw new ServiceError('NOT_FOUND')
  return held
}
