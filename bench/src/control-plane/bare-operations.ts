import { TRANSCRIPTION_LANGUAGES } from '@interview-room/contract/limits.ts'
import type { RoomRequest } from '@interview-room/contract/rooms.ts'
import { newAccessToken } from '@interview-room/server/src/domain/booking/access-token.ts'
import { mediaRoomSpec } from '@interview-room/server/src/domain/booking/media-room.ts'
import { settingsOf } from '@interview-room/server/src/domain/booking/new-room.ts'
import {
  type BookedRoom,
  findRoom,
  insertIntention,
  markProvisioned,
} from '@interview-room/server/src/domain/booking/room-store.ts'
import { listSessions } from '@interview-room/server/src/domain/booking/session-store.ts'
import {
  commitTogether,
  type Db,
  inTransaction,
} from '@interview-room/server/src/platform/db/db.ts'
import { uuidv7 } from '@interview-room/server/src/platform/lib/uuid.ts'
import type { MediaRoomSpec } from '@interview-room/server/src/platform/ports/media.ts'
import { findApiKey } from '@interview-room/server/src/platform/tenants/store.ts'

/** Creates the media room and returns its sid. */
export type Provide = (spec: MediaRoomSpec) => Promise<{ sid: string }>

const PAGE_LIMIT = 20

/**
 * The floor of an operation: only the database and the provider, with the service's own statements, driver and
 * transactions.
 */
export interface BareOperations {
  createRoom(body: RoomRequest): Promise<unknown>
  getRoom(roomId: string): Promise<unknown>
  listSessions(externalId: string): Promise<unknown>
  findKey(keyId: string): Promise<unknown>
}

export const EXTERNAL_TYPE = 'Reservation'

export function bareOperations(
  { db, provide }: { db: Db; provide: Provide },
  tenantId: string,
): BareOperations {
  return {
    async createRoom(body) {
      const room = toRoom(tenantId, body)
      await insertIntention(db, room)
      const { sid } = await provide(mediaRoomSpec(room, room.createdAt))
      await inTransaction(db, (tx) => commitTogether(tx, [markProvisioned(tx, room.id, sid)]))
      return room
    },
    getRoom: (roomId) => findRoom(db, { tenantId, roomId }),
    listSessions: (externalId) =>
      listSessions(db, {
        tenantId,
        externalType: EXTERNAL_TYPE,
        externalId,
        after: undefined,
        limit: PAGE_LIMIT,
      }),
    findKey: (keyId) => findApiKey(db, keyId),
  }
}

function toRoom(tenantId: string, body: RoomRequest): BookedRoom {
  const { session } = body
  const id = uuidv7()
  const now = new Date()
  return {
    ...settingsOf(body, TRANSCRIPTION_LANGUAGES),
    id,
    tenantId,
    createdAt: now,
    session: {
      id: uuidv7(),
      roomId: id,
      externalType: session.external_type,
      externalId: String(session.external_id),
      name: session.name ?? null,
      accessToken: newAccessToken(),
      startsAt: new Date(session.starts_at),
      endsAt: new Date(session.ends_at),
      createdAt: now,
    },
  }
}
