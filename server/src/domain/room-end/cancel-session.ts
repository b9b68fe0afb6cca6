import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { readSession } from '../booking/read-bookings.ts'
import type { SessionKey } from '../booking/session.ts'
import { closeInTransaction, emptyMediaRoom } from './close-room.ts'

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
    const session = await readSession(tx, key)
    const close = { tenantId, roomId: session.roomId, reason: REASON, isCancellation: true }
    await closeInTransaction(tx, close, deps.clock)
    return session.roomId
  })
  await emptyMediaRoom(deps, roomId)
}
