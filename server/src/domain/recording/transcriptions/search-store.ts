import type { TranscriptLine } from '@interview-room/contract/transcripts.ts'
import type { TranscriptionKind } from '@interview-room/contract/vocabulary.ts'
import type { Query } from '../../../platform/db/db.ts'
import type { PageRequest } from '../../../platform/ports/paging.ts'

/** A room, a recording, both or everything. */
interface TranscriptScope {
  roomId?: string | undefined
  recordingId?: string | undefined
}

export interface TranscriptSearch {
  tenantId: string
  words: string
  asked: TranscriptScope
  /** The scope that the caller may see. */
  opened: TranscriptScope
}

export interface TranscriptHit extends TranscriptLine {
  transcriptionId: string
  position: number
  recordingId: string
  roomId: string
  language: string
  kind: TranscriptionKind
}

/** Fewer letters in a row cannot be looked up in the index. */
const TRIGRAM = /[\p{L}\p{N}]{3}/u

/** Lines that contain the words, by transcription and place, after the one that `placeOf` gives. */
export async function searchLines(
  query: Query,
  { tenantId, words, asked, opened }: TranscriptSearch,
  { after, limit }: PageRequest,
): Promise<TranscriptHit[]> {
  // The lines of one room are read faster than the index, which has all tenants' lines.
  const isWide = Object.values({ ...asked, ...opened }).every((id) => id === undefined)
  const wanted = words.normalize('NFKC').trim()
  const pattern = `%${wanted.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const [transcriptionId, position] = after?.split(' ') ?? []
  const isOf = ({ roomId, recordingId }: TranscriptScope) => query`
    ${roomId === undefined ? query`` : query`and t.room_id = ${roomId}`}
    ${recordingId === undefined ? query`` : query`and t.recording_id = ${recordingId}`}
  `
  return query<TranscriptHit[]>`
    select l.transcription_id as "transcriptionId", l.position, l.start_sec, l.end_sec, l.text,
           l.participant_id, l.speaker, l.role, t.recording_id as "recordingId",
           t.room_id as "roomId", t.language, t.kind
      from transcript_lines l
      join transcriptions t on t.id = l.transcription_id
     where t.tenant_id = ${tenantId}
           ${isOf(asked)}
           ${isOf(opened)}
       and ${
         isWide && TRIGRAM.test(wanted)
           ? query`l.folded like lower(${pattern})`
           : query`strpos(l.folded, lower(${wanted})) > 0`
       }
       ${
         position === undefined
           ? query``
           : query`and (l.transcription_id, l.position) > (${transcriptionId}, ${position}::integer)`
       }
     order by l.transcription_id, l.position
     limit ${limit + 1}
  `
}

export function placeOf({ transcriptionId, position }: TranscriptHit): string {
  return `${transcriptionId} ${position}`
}
