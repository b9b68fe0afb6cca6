import type { Tx } from '../../platform/db/db.ts'

export interface ErasedPerson {
  participants: number
  admissions: number
  entries: number
}

/** Deletes participants of a room with their admissions and entries. All rows that refer to them must be deleted before. */
export async function erasePerson(
  tx: Tx,
  { roomId, participantIds }: { roomId: string; participantIds: readonly string[] },
): Promise<ErasedPerson> {
  const ids = [...participantIds]
  const entries = await tx`
    delete from entry_histories where room_id = ${roomId} and participant_id = any(${ids}::uuid[])
  `
  const admissions = await tx`
    delete from admissions where room_id = ${roomId} and participant_id = any(${ids}::uuid[])
  `
  const participants = await tx`
    delete from participants where room_id = ${roomId} and id = any(${ids}::uuid[])
  `
  return {
    participants: participants.count,
    admissions: admissions.count,
    entries: entries.count,
  }
}
