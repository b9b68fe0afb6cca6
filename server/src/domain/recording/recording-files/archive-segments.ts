import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { findFfmpeg } from '../../../platform/media-files/find-ffmpeg.ts'
import { withWorkspace } from '../../../platform/media-files/workspace.ts'
import { zipFiles } from '../../../platform/media-files/zip-files.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { putExpected } from '../../../platform/storage/unclaimed-object.ts'
import { spanOf } from '../recordings/completeness.ts'
import {
  measureAt,
  type MeasuredSegment,
  measureSegment,
  type SegmentCodecs,
} from '../recordings/measure-segment.ts'
import { fileTypeOf, type Recording } from '../recordings/recording.ts'
import { makeReport } from '../recordings/report-completeness.ts'
import { noteMade } from '../recordings/segment-store.ts'
import { type CompleteSegment, isCapture } from '../recordings/segment.ts'
import type { RecordingFile } from '../recordings/store.ts'
import { composeSegments, type SegmentsToCompose } from './compose-segments.ts'
import type { FinishRun } from './finish-run.ts'
import type { StoredCaptures } from './stored-segments.ts'

/** The segments and captures from which the file of a recording is made. */
export interface FileOrder {
  /** At least one. */
  kept: readonly CompleteSegment[]
  /** The stored parts of the captures. More may arrive while the file is being made. */
  captures: StoredCaptures
  run: FinishRun
}

/**
 * Makes and stores the archive of an individual recording: the video of each segment, and `manifest.json`. Each capture is
 * composed separately first. Throws `MediaFileError`, `UnreadableSegmentError`, `EmptySegmentsError`, `StorageError`.
 */
export async function archiveSegments(
  deps: Pick<Deps, 'db' | 'storage' | 'clock' | 'config'>,
  recording: Recording,
  { kept, captures, run }: FileOrder,
): Promise<RecordingFile> {
  const { clock, config } = deps
  return withWorkspace(config.workDir, async (folder) => {
    const videos: SegmentVideo[] = []
    for (const segment of kept.toSorted((a, b) => startMsOf(a) - startMsOf(b))) {
      const onProgress = (share: number) => run.onProgress?.((videos.length + share) / kept.length)
      const order = { segments: [segment], captures, run: { ...run, onProgress } }
      const video = isCapture(segment)
        ? await composedVideo(deps, recording, { ...order, segment, folder })
        : await storedVideo(deps.storage, segment, run.signal)
      videos.push(video)
      // It is delivered anyway, because it may be repairable. The report and the transcript treat its person as missing.
      const isReadable = video.measured.durationSec !== null
      if (isReadable) continue
      await noteMade(deps.db, { id: segment.id, absences: spanOf(segment, clock()) })
    }
    const { isComplete } = await makeReport(deps.db, recording, clock())
    const manifest = manifestOf(recording, videos, isComplete)
    const files = videos.map(({ segment, sizeBytes, open }, index) => {
      return { name: manifest.files[index]?.name ?? segment.storageKey, sizeBytes, open }
    })
    // From the beginning of the first file to the end of the last.
    const durationSec = Math.max(
      ...manifest.files.map((file) => file.offset_sec + file.duration_sec),
    )
    const storageKey = `${recording.tenantId}/recordings/${randomUUID()}`
    const body = zipFiles({ files, manifest, madeAt: clock() })
    const { mime } = fileTypeOf(recording.outputMode)
    const expectedBytes = videos.reduce((sum, video) => sum + video.sizeBytes, 0)
    const { sizeBytes } = await putExpected(deps, storageKey, { body, mime, expectedBytes })
    return { storageKey, sizeBytes, durationSec }
  })
}

/** The video of one segment, either composed or fetched. */
interface SegmentVideo {
  segment: CompleteSegment
  measured: MeasuredSegment
  sizeBytes: number
  open: () => Promise<Readable>
}

async function storedVideo(
  storage: Deps['storage'],
  segment: CompleteSegment,
  signal: AbortSignal,
): Promise<SegmentVideo> {
  const { storageKey } = segment
  const measured = await measureSegment(storage, segment, signal)
  // The reported size is only a hint, and the archive needs the exact one.
  const { sizeBytes } = (await storage.head(storageKey)) ?? segment
  return { segment, measured, sizeBytes, open: () => storage.read(storageKey) }
}

async function composedVideo(
  deps: Pick<Deps, 'db' | 'storage' | 'config'>,
  recording: Recording,
  { segment, ...order }: Omit<SegmentsToCompose, 'ffmpeg'> & { segment: CompleteSegment },
): Promise<SegmentVideo> {
  const ffmpeg = await findFfmpeg(deps.config.ffmpegPath)
  const file = path.join(order.folder, `${segment.id}.mp4`)
  // A directory of its own frees the capture's space before the next one is fetched.
  const folder = path.join(order.folder, segment.id)
  await mkdir(folder)
  const composed = await composeSegments(deps, recording, { ...order, folder, ffmpeg })
  await rename(composed.path, file)
  await rm(folder, { recursive: true, force: true })
  const measured = await measureAt({ kind: 'path', path: file }, order.run.signal)
  const { size: sizeBytes } = await stat(file)
  return { segment, measured, sizeBytes, open: async () => createReadStream(file) }
}

/** `manifest.json` of an individual recording: the person and the times of each file. */
interface RecordingManifest {
  recording_id: string
  room_id: string
  /** True if it contains everybody who published, all the time; null while that is unknown. */
  is_complete: boolean | null
  files: {
    name: string
    participant_id: string | null
    role: string | null
    display_name: string | null
    /** From the beginning of the first file, including pauses. */
    offset_sec: number
    duration_sec: number
    codecs: SegmentCodecs
  }[]
}

/** Describes the files of an individual recording, in the order of the segments. */
function manifestOf(
  { id, roomId }: Pick<Recording, 'id' | 'roomId'>,
  segments: readonly Pick<SegmentVideo, 'segment' | 'measured'>[],
  isComplete: boolean | null,
): RecordingManifest {
  const beganMs = Math.min(...segments.map(({ segment }) => startMsOf(segment)))
  const files = segments.map(({ segment, measured: { codecs, durationSec } }, index) => ({
    name: `${String(index + 1).padStart(3, '0')}-${segment.person?.role ?? 'participant'}.mp4`,
    participant_id: segment.person?.participantId ?? null,
    role: segment.person?.role ?? null,
    display_name: segment.person?.displayName ?? null,
    offset_sec: (startMsOf(segment) - beganMs) / 1000,
    duration_sec: durationSec ?? segment.durationSec,
    codecs,
  }))
  return { recording_id: id, room_id: roomId, is_complete: isComplete, files }
}

function startMsOf(segment: CompleteSegment): number {
  return (segment.startedAt ?? segment.createdAt).getTime()
}
