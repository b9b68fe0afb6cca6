import type { TranscriptLine } from '@interview-room/contract/transcripts.ts'
import type { Query, Tx } from '../../../platform/db/db.ts'

/** Stores the lines of a transcript's newest revision in place of those of the one before. */
export async function replaceLines(
  tx: Tx,
  transcriptionId: string,
  lines: readonly TranscriptLine[],
): Promise<void> {
  const all = <K extends keyof TranscriptLine>(name: K) => lines.map((line) => line[name])
  await tx`delete from transcript_lines where transcription_id = ${transcriptionId}`
  await tx`
    insert into transcript_lines (transcription_id, position, start_sec, end_sec, participant_id,
                                  speaker, role, text)
    select ${transcriptionId}, l.ordinality - 1, l.start_sec, l.end_sec, l.participant_id, l.speaker,
           l.role, l.text
      from unnest(${all('start_sec')}::double precision[], ${all('end_sec')}::double precision[],
                  ${all('participant_id')}::uuid[], ${all('speaker')}::text[],
                  ${all('role')}::text[], ${all('text')}::text[])
           with ordinality as l (start_sec, end_sec, participant_id, speaker, role, text)
  `
}

/** Lines in order of time. A transcript from before version 0.6 has none. */
export async function listLines(query: Query, transcriptionId: string): Promise<TranscriptLine[]> {
  return query<TranscriptLine[]>`
    select start_sec, end_sec, text, participant_id, speaker, role
      from transcript_lines
     where transcription_id = ${transcriptionId}
     order by position
  `
}
