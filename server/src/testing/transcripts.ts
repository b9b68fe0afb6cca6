import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { TranscriptLine } from '@interview-room/contract/transcripts.ts'
import { json } from '../platform/db/db.ts'
import type { ControlPlane } from './control-plane.ts'
import { endTranscription } from './recordings.ts'
import type { TenantClient } from './tenant-client.ts'

/** Adds a transcript with these lines, three seconds each, as an engine would make it. Returns its id. */
export async function addTranscriptOf(
  plane: ControlPlane,
  recordingId: string,
  { lines, order = {}, tenant = plane.tenant }: TranscriptPlan,
): Promise<string> {
  const { data } = await tenant.post(`/recordings/${recordingId}/transcriptions`, order)
  const transcriptionId: string = data.id
  await endTranscription(plane, transcriptionId, 'done')
  const { db } = plane.database
  const wordsKey = `${tenant.tenantId}/transcripts/${randomUUID()}.json`
  const words = Readable.from([JSON.stringify({ words: [] })])
  await plane.storage.put(wordsKey, words, { mime: 'application/json' })
  await db`
    insert into transcription_revisions (transcription_id, revision, words_key, result_key,
                                         author_kind, author_reference, created_at)
    values (${transcriptionId}, 0, ${wordsKey}, ${randomUUID()}, 'engine', 'engine_c', now())
  `
  await db`
    insert into transcript_lines (transcription_id, position, start_sec, end_sec, participant_id,
                                  speaker, role, text)
    select ${transcriptionId}, l.position, l.start_sec, l.end_sec, l.participant_id, l.speaker,
           l.role, l.text
      from jsonb_populate_recordset(null::transcript_lines, ${json(lines.map(lineOf))}::jsonb) l
  `
  return transcriptionId
}

interface TranscriptPlan {
  lines: readonly Partial<TranscriptLine>[]
  /** The body of the request. */
  order?: object
  tenant?: TenantClient
}

function lineOf(line: Partial<TranscriptLine>, position: number) {
  return {
    position,
    start_sec: 3 * position,
    end_sec: 3 * position + 2.5,
    text: '',
    participant_id: null,
    speaker: 'Hanako',
    role: 'panelist',
    ...line,
  }
}
