import type { Query } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { RoomKey } from '../room-log/room-lock.ts'
import { findRoom } from './room-store.ts'
import type { Room } from './room.ts'
import { findSession, type StoredSession } from './session-store.ts'
import type { SessionKey } from './session.ts'

export { isOpen } from './room-store.ts'
export { listSessions } from './session-store.ts'

/** Throws 404 NOT_FOUND. */
export async function readRoom(query: Query, key: RoomKey): Promise<Room> {
  const room = await findRoom(query, key)
  if (room === undefined) throw new ServiceError('NOT_FOUND')
  return room
}

/** Throws 404 NOT_FOUND. */
export async function readSession(query: Query, key: SessionKey): Promise<StoredSession> {
  const session = await findSession(query, key)
  if (session === undefined) throw new ServiceError('NOT_FOUND')
  return session
}
