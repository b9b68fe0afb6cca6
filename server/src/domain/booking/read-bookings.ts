import type { ExternalRef } from '@interview-room/contract/webhooks.ts'
import type { Query } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { RoomKey } from '../room-log/room-lock.ts'
import { findRoom, isRoom } from './room-store.ts'
import type { Room } from './room.ts'
import { findSession, type StoredSession, findSessionOfRoom } from './session-store.ts'
import type { SessionKey } from './session.ts'

export { isOpen } from './room-store.ts'
export { findSessionOfRoom as findSlotOfRoom, listSessions } from './session-store.ts'

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

/** The key itself if this tenant has such a room. Every list of a room's resources asks this first. */
export async function findRoomKey(query: Query, key: RoomKey): Promise<RoomKey | undefined> {
  return (await isRoom(query, key)) ? key : undefined
}

/** The slot of a recording, as its webhooks name it. */
interface SessionRef {
  session_id: string | null
  session_external_ref: ExternalRef | null
}

/** Both null for a room without a session. */
export async function findSessionRef(query: Query, roomId: string): Promise<SessionRef> {
  const session = await findSessionOfRoom(query, roomId)
  if (session === undefined) return { session_id: null, session_external_ref: null }
  const { id, externalType, externalId } = session
  return {
    session_id: id,
    session_external_ref: { external_type: externalType, external_id: externalId },
  }
}
