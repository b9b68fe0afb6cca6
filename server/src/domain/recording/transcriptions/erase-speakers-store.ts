import type { Tx } from '../../../platform/db/db.ts'

/** Removes people from the lines of a room's recordings. The text stays, as in the files. */
export async function forgetSpeakers(
  tx: Tx,
  { roomId, participantIds }: { roomId: string; participantIds: readonly string[] },
): Promise<void> {
  await tx`
    update transcript_lines l
       set participant_id = null, speaker = null
      from transcriptions t
     where t.id = l.transcription_id and t.room_id = ${roomId}
       and l.participant_id = any(${[...participantIds]}::uuid[])
  `
}
