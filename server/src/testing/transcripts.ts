import { randomUUID } from 'node:crypto'
import type { TranscriptLine } from '@interview-room/contract/transcripts.ts'
import { replaceLines } from '../domain/recording/transcriptions/line-store.ts'
import { insertRevision } from '../domain/recording/transcriptions/revision-store.ts'
import { inTransaction } from '../platform/db/db.ts'
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
  const file = randomUUID()
  await inTransaction(plane.database.db, async (tx) => {
    await insertRevision(tx, {
      transcriptionId,
      revision: 0,
      wordsKey: `${file}.json`,
      resultKey: `${file}.vtt`,
      author: { kind: 'engine', reference: 'engine_c', name: null },
      createdAt: plane.now,
    })
    await replaceLines(tx, transcriptionId, lines.map(lineOf))
  })
  return transcriptionId
}

interface TranscriptPlan {
  lines: readonly Partial<TranscriptLine>[]
  /** The body of the request. */
  order?: object
  tenant?: TenantClient
}

function lineOf(line: Partial<TranscriptLine>, at: number): TranscriptLine {
  return {
    start_sec: 3 * at,
    end_sec: 3 * at + 2.5,
    text: '',
    participant_id: null,
    speaker: 'Hanako',
    role: 'panelist',
    ...line,
  }
}
