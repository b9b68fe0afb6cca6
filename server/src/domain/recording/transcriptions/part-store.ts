import { json, type Query, type Tx } from '../../../platform/db/db.ts'
import type { Word } from './engines/word.ts'
import type { Sounding } from './without-silence.ts'

/** One audio for an engine to transcribe. */
export interface PlannedPart {
  /** The person's file, by its name in an archive or its key; null for a recording with one file. */
  fileName: string | null
  participantId: string | null
  speaker: string | null
  role: string | null
  /** Start of its audio in the recording, in seconds. */
  offsetSec: number
  startSec: number
  endSec: number
  seamSec: number
  /** The stretches of its file that it contains. Its times count without the silence between them. Null for all of the file. */
  soundings: Sounding[] | null
}

export interface Part extends PlannedPart {
  transcriptionId: string
  number: number
  attempt: number
  /** Null before the first sending. */
  sentAt: Date | null
  /** Null until the engine has accepted it. */
  providerId: string | null
  words: Word[] | null
}

export async function listParts(query: Query, transcriptionId: string): Promise<Part[]> {
  return query<Part[]>`
    select transcription_id as "transcriptionId", number, file_name as "fileName",
           participant_id as "participantId", speaker, role,
           offset_sec as "offsetSec", start_sec as "startSec", end_sec as "endSec",
           seam_sec as "seamSec", soundings, attempt, sent_at as "sentAt", provider_id as "providerId", words
      from transcription_parts
     where transcription_id = ${transcriptionId}
     order by number
  `
}

export async function insertPart(
  tx: Tx,
  transcriptionId: string,
  { number, ...part }: PlannedPart & { number: number },
): Promise<void> {
  await tx`
    insert into transcription_parts (transcription_id, number, file_name, participant_id, speaker, role,
                                     offset_sec, start_sec, end_sec, seam_sec, soundings)
    values (${transcriptionId}, ${number}, ${part.fileName}, ${part.participantId}, ${part.speaker},
            ${part.role}, ${part.offsetSec}, ${part.startSec}, ${part.endSec}, ${part.seamSec},
            ${part.soundings && json(part.soundings)})
    on conflict do nothing
  `
}

type PartName = Pick<Part, 'transcriptionId' | 'number' | 'attempt'>

/** Adds its length to what was sent. Returns false when the part was deleted, or another attempt is running. */
export async function markSent(query: Query, part: PartName, at: Date): Promise<boolean> {
  const { count } = await query`
    with sent as (
      update transcription_parts set sent_at = ${at}
       where transcription_id = ${part.transcriptionId} and number = ${part.number}
         and attempt = ${part.attempt} and provider_id is null and words is null
      returning transcription_id, end_sec - start_sec as sec
    )
    update transcriptions t
       set sent_sec = coalesce(t.sent_sec, 0) + sent.sec
      from sent
     where t.id = sent.transcription_id
  `
  return count === 1
}

/** Returns as `markSent` does. */
export async function markTaken(
  query: Query,
  part: PartName,
  providerId: string,
): Promise<boolean> {
  const { count } = await query`
    update transcription_parts set provider_id = ${providerId}
     where transcription_id = ${part.transcriptionId} and number = ${part.number}
       and attempt = ${part.attempt} and provider_id is null and words is null
  `
  return count === 1
}

/** Returns as `markSent` does. */
export async function markHeard(
  query: Query,
  part: PartName,
  words: readonly Word[],
): Promise<boolean> {
  const { count } = await query`
    update transcription_parts set words = ${json(words)}
     where transcription_id = ${part.transcriptionId} and number = ${part.number}
       and attempt = ${part.attempt} and words is null
  `
  return count === 1
}

/** Starts another attempt at the part. Later results of this attempt are ignored. */
export async function markLost(query: Query, part: PartName): Promise<void> {
  await query`
    update transcription_parts
       set attempt = attempt + 1, sent_at = null, provider_id = null
     where transcription_id = ${part.transcriptionId} and number = ${part.number}
       and attempt = ${part.attempt} and words is null
  `
}

/** Deletes the parts. Returns those that an engine has or may have. */
export async function deleteParts(tx: Tx, transcriptionId: string): Promise<Part[]> {
  const parts = await listParts(tx, transcriptionId)
  await tx`delete from transcription_parts where transcription_id = ${transcriptionId}`
  return parts.filter(({ sentAt }) => sentAt !== null)
}

/** The reference of an attempt at the engine. It is the same after a crash. */
export function referenceOf({ transcriptionId, number, attempt }: PartName): string {
  return `${transcriptionId}-${number}-${attempt}`
}
