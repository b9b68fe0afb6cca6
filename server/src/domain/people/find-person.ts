import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Query } from '../../platform/db/db.ts'
import { isUuid } from '../../platform/lib/uuid.ts'
import { findVisitor } from './admission-store.ts'
import { findParticipant } from './participant-store.ts'

/** A person in a room, by the identity in the roster: a participant, a visitor or a guest. */
export interface PersonInRoom {
  /** Null for a visitor of the simple route and for a guest. */
  participantId: string | null
  role: Role
  displayName: string
}

interface FoundPerson extends PersonInRoom {
  /** The newest admission; null for a participant whose admission has ended. */
  admissionId: string | null
  isGuest: boolean
}

export async function findPerson(
  query: Query,
  { roomId, identity }: { roomId: string; identity: string },
): Promise<FoundPerson | undefined> {
  const participant = isUuid(identity) ? await findParticipant(query, identity) : undefined
  if (participant?.roomId === roomId) {
    return { ...participant, participantId: participant.id, isGuest: false }
  }
  const visitor = await findVisitor(query, { roomId, identity })
  return visitor && { ...visitor, participantId: null }
}
