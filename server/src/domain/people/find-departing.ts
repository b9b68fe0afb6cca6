import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Db } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { unauthorized } from '../../platform/service-keys/signed-tokens.ts'
import { findAdmissible } from './admit.ts'
import { isAccessTokenOf } from './check-admission.ts'
import { findAdmissionRoom } from './participant-store.ts'
import type { ParticipantClaims } from './participant-token.ts'
import type { AdmissionRoom } from './participant.ts'

/** A person on their last page, who may not be in the room any more. */
export interface Departing {
  room: AdmissionRoom
  role: Role
  /** Null on the simple route. */
  displayName: string | null
  /** The person's participants in the room, in all roles. Empty on the simple route, and for the banned. */
  participantIds: string[]
  hasEntered: boolean
  isBanned: boolean
}

/** Throws 404 NOT_FOUND for a room that participant tokens of this tenant do not open. */
export async function findDeparting(db: Db, claims: ParticipantClaims): Promise<Departing> {
  const { room, all } = await findAdmissible(db, claims)
  if (room === undefined || room.tenantId !== claims.tenantId || room.kind === 'connection_test') {
    throw new ServiceError('NOT_FOUND')
  }
  const isBanned = all.some(({ bannedAt }) => bannedAt !== null)
  return {
    room,
    role: claims.role,
    displayName: claims.displayName,
    participantIds: isBanned ? [] : all.map(({ id }) => id),
    hasEntered: all.some(({ role }) => role === claims.role),
    isBanned,
  }
}

/** The same on the simple route. Throws 401 UNAUTHORIZED. */
export async function findDepartingVisitor(
  db: Db,
  { roomId, accessToken }: { roomId: string; accessToken: string },
): Promise<Departing> {
  const room = await findAdmissionRoom(db, roomId)
  if (!isAccessTokenOf(room, accessToken)) {
    throw unauthorized('the access token is not that of the session')
  }
  return {
    room,
    role: 'panelist',
    displayName: null,
    participantIds: [],
    hasEntered: false,
    isBanned: false,
  }
}
