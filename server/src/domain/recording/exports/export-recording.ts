import { Readable } from 'node:stream'
import type { ExportContent } from '@interview-room/contract/review.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import { type ZippedFile, zipFiles } from '../../../platform/media-files/zip-files.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { presentActivity } from '../recordings/present-report.ts'
import { listActivities, readRecording } from '../recordings/read-recordings.ts'
import { fileTypeOf, isReady, type ReadyRecording } from '../recordings/recording.ts'
import { listTranscriptions } from '../transcriptions/read-transcriptions.ts'
import type { ExportGrant } from './export-links.ts'
import { clipsCsv, commentsCsv, markersCsv, readTimeline, reelsCsv } from './export-tables.ts'

/** A file that is made while it is sent. */
export interface ExportedFile {
  name: string
  mime: string
  body: Readable | string
}

type ExportDeps = Pick<Deps, 'db' | 'storage' | 'clock'>

const CSV = 'text/csv; charset=utf-8'
/** More than a recording has: one for each language, engine and kind. */
const TRANSCRIPTIONS_MAX = 200

/**
 * Everything of a recording as a ZIP, or one table of it as CSV. Throws 404 NOT_FOUND, 409 RECORDING_NOT_AVAILABLE when the
 * recording was deleted or expired meanwhile.
 */
export async function exportRecording(deps: ExportDeps, grant: ExportGrant): Promise<ExportedFile> {
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
  grant: ExportGrant,
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
    ...(await transcriptsOf({ db, storage }, id)),
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
  recordingId: string,
): Promise<ZippedFile[]> {
  const page = { recordingId, after: undefined, limit: TRANSCRIPTIONS_MAX }
  const files: ZippedFile[] = []
  for (const transcription of await listTranscriptions(db, page)) {
    if (transcription.status !== 'done') continue
    const { id, language, kind, resultKey } = transcription
    const stored = await storage.head(resultKey)
    if (stored === undefined) continue
    files.push({
      name: `transcripts/${language}-${kind}-${id}.vtt`,
      sizeBytes: stored.sizeBytes,
      open: async () => storage.read(resultKey),
    })
  }
  return files
}

function fileOf(name: string, text: string): ZippedFile {
  const bytes = Buffer.from(text)
  return { name, sizeBytes: bytes.length, open: async () => Readable.from([bytes]) }
}

const jsonOf = (value: object) => `${JSON.stringify(value, null, 2)}\n`
