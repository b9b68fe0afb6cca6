import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Query } from '../../platform/db/db.ts'
import { findVisitor } from './admission-store.ts'
import { findParticipant } from './participant-store.ts'

/** A person in a room, by the identity in the roster: a participant, or a visitor. */
export interface PersonInRoom {
  /** Null for a visitor of the simple route. */
  participantId: string | null
  role: Role
  displayName: string
}

export async function findPerson(
  query: Query,
  { roomId, identity }: { roomId: string; identity: string },
): Promise<PersonInRoom | undefined> {
  const participant = await findParticipant(query, identity)
  if (participant?.roomId === roomId) return { ...participant, participantId: participant.id }
  const visitor = await findVisitor(query, { roomId, admissionId: identity })
  return visitor && { ...visitor, participantId: null }
}
