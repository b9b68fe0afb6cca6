import type { Tx } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { lockRoom } from '../booking/lock-room.ts'
import { isReleased, type SessionKey } from '../booking/session.ts'
import type { LockedRoom } from '../room-log/room-lock.ts'
import type { Handout } from './handout.ts'
import {
  findHandout,
  findHandoutSession,
  type HandoutKey,
  type HandoutSession,
  isPresented,
} from './store.ts'

/**
 * Locks the room of a session whose handouts are to be changed, and reads the session with the lock. Throws 404 NOT_FOUND,
 * 409 SESSION_RELEASED.
 */
export async function lockHandoutSession(
  tx: Tx,
  key: SessionKey,
): Promise<HandoutSession & LockedRoom> {
  const roomId = (await findHandoutSession(tx, key))?.roomId
  if (roomId === undefined) throw new ServiceError('NOT_FOUND')
  const locked = await lockRoom(tx, { tenantId: key.tenantId, roomId })
  const session = await findHandoutSession(tx, key)
  if (session === undefined) throw new ServiceError('NOT_FOUND')
  if (isReleased(session)) throw new ServiceError('SESSION_RELEASED')
  return { ...session, ...locked }
}

export type LockedHandout = Handout & LockedRoom

/** Reads the handout with its room's lock. Returns undefined without such a handout. */
export async function lockHandout(tx: Tx, key: HandoutKey): Promise<LockedHandout | undefined> {
  const roomId = (await findHandout(tx, key))?.roomId
  if (roomId === undefined) return undefined
  const locked = await lockRoom(tx, { tenantId: key.tenantId, roomId })
  const handout = await findHandout(tx, key)
  return handout && { ...handout, ...locked }
}

/** Throws 409 HANDOUT_IN_USE while the handout is being presented. */
export async function refusePresented(tx: Tx, handout: Handout): Promise<void> {
  if (await isPresented(tx, handout)) throw new ServiceError('HANDOUT_IN_USE')
}
