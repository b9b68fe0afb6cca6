import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { ServiceError } from '../lib/service-error.ts'
import { emptyMediaRoom, markRoomClosed } from '../rooms/close-room.ts'
import type { SessionKey } from './session.ts'
import { findSession } from './store.ts'

const REASON = 'session_cancelled'

/**
 * Cancels the reservation and closes its room; recordings, chat and entries stay. A repeat changes
 * nothing. Throws 404 NOT_FOUND.
 */
export async function cancelSession(
  deps: Pick<Deps, 'db' | 'media' | 'clock' | 'log'>,
  key: SessionKey,
): Promise<void> {
  const { tenantId } = key
  const roomId = await inTransaction(deps.db, async (tx) => {
    const session = await findSession(tx, key)
    if (session === undefined) throw new ServiceError('NOT_FOUND')
    const close = { tenantId, roomId: session.roomId, reason: REASON, isCancellation: true }
    await markRoomClosed(tx, close, deps.clock)
    return session.roomId
  })
  await emptyMediaRoom(deps, roomId)
}
