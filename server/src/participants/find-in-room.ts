import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Query } from '../db/db.ts'
import type { Participant } from './participant.ts'
import { findParticipant, findVisitor } from './store.ts'

/** The participant if it is one of this room. */
export async function findInRoom(
  query: Query,
  { roomId, participantId }: { roomId: string; participantId: string },
): Promise<Participant | undefined> {
  const participant = await findParticipant(query, participantId)
  return participant?.roomId === roomId ? participant : undefined
}

/** Somebody in a room, by the identity that the roster names: a participant, or a visitor. */
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
  const participant = await findInRoom(query, { roomId, participantId: identity })
  if (participant !== undefined) return { ...participant, participantId: participant.id }
  const visitor = await findVisitor(query, { roomId, admissionId: identity })
  return visitor && { ...visitor, participantId: null }
}
