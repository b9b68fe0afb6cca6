import type { Query } from '../db/db.ts'
import type { Participant } from './participant.ts'
import { findParticipant } from './store.ts'

/** The participant if it is one of this room. */
export async function findInRoom(
  query: Query,
  { roomId, participantId }: { roomId: string; participantId: string },
): Promise<Participant | undefined> {
  const participant = await findParticipant(query, participantId)
  return participant?.roomId === roomId ? participant : undefined
}
