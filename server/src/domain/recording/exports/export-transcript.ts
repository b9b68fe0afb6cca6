import type { Readable } from 'node:stream'
import type { Query } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import { findSlotOfRoom } from '../../booking/read-bookings.ts'
import { readRecording } from '../recordings/read-recordings.ts'
import type { Recording } from '../recordings/recording.ts'
import { listLines } from '../transcriptions/line-store.ts'
import { findRevision } from '../transcriptions/revision-store.ts'
import type { TranscriptGrant } from './export-links.ts'
import { TRANSCRIPT_FILES } from './transcript-files.ts'

/** A file that is made while it is sent. */
export interface ExportedFile {
  name: string
  mime: string
  body: Readable | Buffer | string
}

/** The newest revision of a transcript as a file. Throws 404 NOT_FOUND when it was deleted meanwhile. */
export async function exportTranscript(
  query: Query,
  grant: TranscriptGrant,
): Promise<ExportedFile> {
  const { transcriptionId, format, speakers } = grant
  const recording = await readRecording(query, grant)
  if ((await findRevision(query, grant)) === undefined) throw new ServiceError('NOT_FOUND')
  const lines = await listLines(query, transcriptionId)
  const { mime, write } = TRANSCRIPT_FILES[format]
  const body = await write({ title: await titleOf(query, recording), lines, speakers })
  return { name: `transcription-${transcriptionId}.${format}`, mime, body }
}

/** `Interview 12, 2030-11-21 02:00 UTC`. */
export async function titleOf(query: Query, { roomId, createdAt }: Recording): Promise<string> {
  const slot = await findSlotOfRoom(query, roomId)
  const startedAt = `${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return [slot?.name ?? [], startedAt].flat().join(', ')
}
