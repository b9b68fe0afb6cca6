import { Readable } from 'node:stream'
import type { ExportContent } from '@interview-room/contract/review.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import { type ZippedFile, zipFiles } from '../../../platform/media-files/zip-files.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { presentActivity } from '../recordings/present-report.ts'
import { listActivities, readRecording } from '../recordings/read-recordings.ts'
import {
  fileTypeOf,
  isReady,
  type ReadyRecording,
  type Recording,
} from '../recordings/recording.ts'
import { listLines } from '../transcriptions/line-store.ts'
import { listTranscriptions } from '../transcriptions/read-transcriptions.ts'
import type { RecordingGrant } from './export-links.ts'
import { clipsCsv, commentsCsv, markersCsv, readTimeline, reelsCsv } from './export-tables.ts'
import { type ExportedFile, titleOf } from './export-transcript.ts'
import { TRANSCRIPT_FILES } from './transcript-files.ts'

type ExportDeps = Pick<Deps, 'db' | 'storage' | 'clock'>

const CSV = 'text/csv; charset=utf-8'
/** More than a recording has: one for each language, engine and kind. */
const TRANSCRIPTIONS_MAX = 200

/**
 * Everything of a recording as a ZIP, or one table of it as CSV. Throws 404 NOT_FOUND, 409 RECORDING_NOT_AVAILABLE when the
 * recording was deleted or expired meanwhile.
 */
export async function exportRecording(
  deps: ExportDeps,
  grant: RecordingGrant,
): Promise<ExportedFile> {
  const { db, clock } = deps
  const { content, recordingId } = grant
  const recording = await readRecording(db, grant)
  if (!isReady(recording)) throw new ServiceError('RECORDING_NOT_AVAILABLE')
  if (content === 'all') return wholeOf(deps, recording, grant)
  const name = `${content}-${recordingId}.csv`
  const table = {
    comments: async () => commentsCsv(db, recordingId),
    clips: async () => clipsCsv(db, recordingId),
    markers: async () => markersCsv(await readTimeline(db, recording, { ...grant, now: clock() })),
  } satisfies Record<Exclude<ExportContent, 'all'>, () => Promise<string>>
  return { name, mime: CSV, body: await table[content]() }
}

async function wholeOf(
  { db, storage, clock }: ExportDeps,
  recording: ReadyRecording,
  grant: RecordingGrant,
): Promise<ExportedFile> {
  const { id, storageKey, sizeBytes, outputMode } = recording
  const timeline = await readTimeline(db, recording, { ...grant, now: clock() })
  const activity = presentActivity(id, await listActivities(db, id))
  const files = [
    {
      name: `recording.${fileTypeOf(outputMode).extension}`,
      sizeBytes,
      open: async () => storage.read(storageKey),
    },
    ...(await transcriptsOf({ db, storage }, recording)),
    fileOf('markers.csv', markersCsv(timeline)),
    ...(grant.hasClips
      ? [
          fileOf('clips.csv', await clipsCsv(db, id)),
          fileOf('reels.csv', await reelsCsv(db, recording)),
        ]
      : []),
    ...(grant.hasComments ? [fileOf('comments.csv', await commentsCsv(db, id))] : []),
    fileOf('timeline.json', jsonOf(timeline)),
    fileOf('activity.json', jsonOf(activity)),
  ]
  const manifest = {
    recording_id: id,
    room_id: recording.roomId,
    started_at: recording.createdAt.toISOString(),
    duration_sec: recording.durationSec,
    files: files.map(({ name }) => name),
  }
  const body = zipFiles({ files, manifest, madeAt: clock() })
  return { name: `recording-${id}-export.zip`, mime: 'application/zip', body }
}

async function transcriptsOf(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  recording: Recording,
): Promise<ZippedFile[]> {
  const page = { recordingId: recording.id, after: undefined, limit: TRANSCRIPTIONS_MAX }
  const files: ZippedFile[] = []
  for (const transcription of await listTranscriptions(db, page)) {
    if (transcription.status !== 'done') continue
    const { id, language, kind, resultKey } = transcription
    const stored = await storage.head(resultKey)
    if (stored === undefined) continue
    const name = `transcripts/${language}-${kind}-${id}`
    const { sizeBytes } = stored
    files.push({ name: `${name}.vtt`, sizeBytes, open: async () => storage.read(resultKey) })
    const lines = await listLines(db, id)
    // Without lines it is silent, or from before version 0.6.
    if (lines.length === 0) continue
    const written = { title: await titleOf(db, recording), lines, speakers: 'name' } as const
    for (const format of ['srt', 'txt', 'csv', 'docx'] as const) {
      const content = await TRANSCRIPT_FILES[format].write(written)
      files.push(fileOf(`${name}.${format}`, content))
    }
  }
  return files
}

function fileOf(name: string, content: string | Buffer): ZippedFile {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { name, sizeBytes: bytes.length, open: async () => Readable.from([bytes]) }
}

const jsonOf = (value: object) => `${JSON.stringify(value, null, 2)}\n`
