import { TRANSCRIPT_REVISIONS_MAX } from '@interview-room/contract/limits.ts'
import type {
  TranscriptLine,
  TranscriptLineRequest,
  TranscriptRevisionsBody,
  TranscriptWord,
} from '@interview-room/contract/transcripts.ts'
import { inTransaction } from '../../../platform/db/db.ts'
import { refuseField, ServiceError } from '../../../platform/lib/service-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { listNamesOf, type NamedPerson } from '../../people/read-people.ts'
import type { Accessor } from '../recordings/access-log-store.ts'
import { lockRecording } from '../recordings/lock-recording.ts'
import { correctLines } from './correct-lines.ts'
import { logRead } from './issue-results.ts'
import { listLines } from './line-store.ts'
import { listRevisions, type Revision } from './revision-store.ts'
import { addRevision, giveUpTranscript, storeTranscript } from './store-transcript.ts'
import { setResult } from './store.ts'
import type { Transcription } from './transcription.ts'
import { cuesOfLines } from './webvtt.ts'
import { readWords } from './words-file.ts'

export interface Correction {
  lines: readonly TranscriptLineRequest[]
  author: Revision['author']
  /** True for the revision that the author has read. */
  isRead: (revision: number) => boolean
}

/** Notes in the access log who reads. Throws 404 NOT_FOUND for a transcript without revisions. */
export async function readRevisions(
  deps: Pick<Deps, 'db' | 'clock'>,
  transcription: Transcription,
  accessor: Accessor,
): Promise<TranscriptRevisionsBody> {
  const { id } = transcription
  const read = await inTransaction(
    deps.db,
    async (tx) => {
      const revisions = await listRevisions(tx, id)
      return { id, revisions, lines: await listLines(tx, id) }
    },
    { isSnapshot: true },
  )
  if (read.revisions.length === 0) throw new ServiceError('NOT_FOUND')
  await logRead(deps, transcription, accessor)
  return present(read)
}

/**
 * Makes a new revision of a transcript. Throws 404 NOT_FOUND for one without revisions, 412 PRECONDITION_FAILED if the
 * author has read another one than the newest, and 422 VALIDATION_ERROR.
 */
export async function correctTranscript(
  deps: Pick<Deps, 'db' | 'storage' | 'clock'>,
  transcription: Transcription,
  { lines, author, isRead }: Correction,
): Promise<TranscriptRevisionsBody> {
  const { id, tenantId, recordingId, roomId } = transcription
  const [newest] = await listRevisions(deps.db, id)
  if (newest === undefined) throw new ServiceError('NOT_FOUND')
  refuseUnread(newest, isRead)
  const people = await listNamesOf(deps.db, roomId, idsIn(lines))
  refuseUnusable(lines, people)
  const heard: { lines: TranscriptLine[]; words: TranscriptWord[] } = {
    lines: await listLines(deps.db, id),
    words: await readWords(deps, newest.wordsKey),
  }
  const corrected = correctLines(lines, { heard, people, language: languageOf(transcription) })
  const stored = await storeTranscript(deps, tenantId, {
    cues: cuesOfLines(corrected),
    words: corrected.flatMap(({ words }) => words),
  })
  try {
    return await inTransaction(deps.db, async (tx) => {
      await lockRecording(tx, { tenantId, recordingId })
      const revisions = await listRevisions(tx, id)
      const [latest] = revisions
      if (latest === undefined) throw new ServiceError('NOT_FOUND')
      refuseUnread(latest, isRead)
      // An erasure meanwhile has changed the lines, too.
      const left = await listNamesOf(tx, roomId, idsIn(lines))
      if (left.size !== people.size) throw new ServiceError('PRECONDITION_FAILED')
      const made = {
        transcriptionId: id,
        revision: latest.revision + 1,
        author,
        createdAt: deps.clock(),
      }
      await addRevision(tx, stored, made)
      await setResult(tx, id, stored.resultKey)
      return present({ id, revisions: [{ ...made, ...stored }, ...revisions], lines: stored.lines })
    })
  } catch (error) {
    await giveUpTranscript(deps.db, stored)
    throw error
  }
}

const languageOf = ({ kind, language }: Transcription) =>
  kind === 'translation' ? 'en-US' : language

function refuseUnread({ revision }: Revision, isRead: Correction['isRead']): void {
  if (!isRead(revision)) throw new ServiceError('PRECONDITION_FAILED')
  if (revision + 1 < TRANSCRIPT_REVISIONS_MAX) return
  throw refuseField('VALIDATION_ERROR', {
    field: 'lines',
    code: 'QUOTA_EXCEEDED',
    message: `a transcript has at most ${TRANSCRIPT_REVISIONS_MAX} revisions`,
  })
}

const idsIn = (lines: readonly TranscriptLineRequest[]) => [
  ...new Set(lines.flatMap(({ participant_id: person }) => person ?? [])),
]

const DETAILS_MAX = 50

function refuseUnusable(
  lines: readonly TranscriptLineRequest[],
  people: ReadonlyMap<string, NamedPerson>,
): void {
  const details = lines.flatMap(({ start_sec, end_sec, participant_id: person }, index) => {
    const isStranger = person != null && !people.has(person)
    return [
      ...(end_sec < start_sec
        ? [
            {
              field: `lines.${index}.end_sec`,
              code: 'OUT_OF_RANGE' as const,
              message: 'must not be before start_sec',
            },
          ]
        : []),
      ...(isStranger
        ? [
            {
              field: `lines.${index}.participant_id`,
              code: 'NOT_ALLOWED' as const,
              message: 'must be a participant of the room of the recording',
            },
          ]
        : []),
    ]
  })
  if (details.length === 0) return
  throw new ServiceError('VALIDATION_ERROR', { details: details.slice(0, DETAILS_MAX) })
}

function present({
  id,
  revisions,
  lines,
}: {
  id: string
  revisions: readonly Omit<Revision, 'resultKey' | 'wordsKey'>[]
  lines: TranscriptLine[]
}): TranscriptRevisionsBody {
  return {
    transcription_id: id,
    revisions: revisions.map(({ revision, author, createdAt }) => ({
      revision,
      author_kind: author.kind,
      author_reference: author.reference,
      author_name: author.name,
      created_at: createdAt.toISOString(),
    })),
    lines,
  }
}
