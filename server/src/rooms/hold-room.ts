import type { Tx } from '../db/db.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { RoomKey } from './find-room-key.ts'
import { lockRoom } from './store.ts'

/**
 * Locks the room for a change inside it, until the transaction ends. Everything that changes
 * something in a room does this first, whatever it is addressed by. Throws 404 NOT_FOUND.
 */
export async function holdRoom(tx: Tx, key: RoomKey): Promise<void> {
  if (!(await lockRoom(tx, key))) throw new ServiceError('NOT_FOUND')
}
