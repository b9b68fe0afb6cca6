import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  type ComposedVideo,
  UnreadableCaptureError,
} from '../../../platform/media-files/compose-captures.ts'
import { findFfmpeg } from '../../../platform/media-files/find-ffmpeg.ts'
import { joinVideos } from '../../../platform/media-files/join-videos.ts'
import { MediaFileError } from '../../../platform/media-files/media-file-error.ts'
import { withWorkspace } from '../../../platform/media-files/workspace.ts'
import { zipFiles } from '../../../platform/media-files/zip-files.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { ObjectLocation } from '../../../platform/ports/storage.ts'
import { newVideoKey } from '../../../platform/storage/object-key.ts'
import { expectObject } from '../../../platform/storage/unclaimed-object.ts'
import { isCapture } from './capture-segments.ts'
import { composeSegments, type SegmentsToCompose } from './compose-segments.ts'
import type { FinishRun } from './finish-run.ts'
import { type MeasuredSegment, measureSegment, type SegmentCodecs } from './measure-segment.ts'
import { fileTypeOf, type Recording } from './recording.ts'
import { makeReport } from './report-completeness.ts'
import type { Segment } from './segment.ts'
import type { RecordingFile } from './store.ts'

type MakeDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config'>

export interface FileOrder {
  /** At least one. */
  kept: readonly Segment[]
  run: FinishRun
}

/** Parts are copied, not encoded: joining takes a small part of their length. */
const JOIN_MIN_MS = 10 * 60_000
/** How long an address of a segment holds, in seconds. */
const SEGMENT_FOR_SEC = 6 * 3600

/** The one file of several segments, stored. Throws `MediaFileError`, `StorageError`. */
export async function makeFile(
  deps: MakeDeps,
  recording: Recording,
  order: FileOrder,
): Promise<RecordingFile> {
  return recording.outputMode === 'composed'
    ? joinSegments(deps, recording, order)
    : archiveSegments(deps, recording, order)
}

/** Whether it takes composing to make the file. */
export function isToBeComposed(kept: readonly Segment[]): boolean {
  return kept.some((segment) => isCapture(segment))
}

async function joinSegments(
  deps: MakeDeps,
  recording: Recording,
  order: FileOrder,
): Promise<RecordingFile> {
  const { storage, config } = deps
  const { tenantId, outputMode } = recording
  return withWorkspace(config.workDir, async (folder) => {
    const { path, durationSec } = await joinIn(folder, deps, { ...order, recording })
    const storageKey = newVideoKey(tenantId, 'recordings')
    await expectObject(deps, storageKey)
    const { mime } = fileTypeOf(outputMode)
    const { sizeBytes } = await storage.put(storageKey, createReadStream(path), { mime })
    return { storageKey, sizeBytes, durationSec }
  })
}

/**
 * The segments as one video in this folder: captures that follow each other are composed in one go. Throws
 * `MediaFileError`, `UnreadableSegmentError`, `StorageError`.
 */
export async function joinIn(
  folder: string,
  deps: Pick<Deps, 'db' | 'storage' | 'config'>,
  { kept, run, recording }: FileOrder & { recording: Recording },
): Promise<ComposedVideo> {
  const { storage, config } = deps
  const ffmpeg = await findFfmpeg(config.ffmpegPath)
  const parts: ObjectLocation[] = []
  for (const segments of runsOf(kept)) {
    if (isToBeComposed(segments)) {
      const composed = await compose(deps, recording, { segments, folder, ffmpeg, run })
      if (segments.length === kept.length) return composed
      parts.push({ kind: 'path', path: composed.path })
      continue
    }
    for (const { storageKey } of segments) {
      parts.push(await storage.locate(storageKey, { forSec: SEGMENT_FOR_SEC }))
    }
  }
  const deadlineMs = Math.max(JOIN_MIN_MS, totalSecOf(kept) * 1000)
  const { signal, log } = run
  const { path, measured } = await joinVideos(ffmpeg, { parts, folder, deadlineMs, signal, log })
  return { path, durationSec: measured.durationSec }
}

/** A segment of which nothing can be made, whatever is tried. */
export class UnreadableSegmentError extends MediaFileError {
  readonly segment: Segment

  constructor(segment: Segment) {
    super('unreadable', 'a captured segment cannot be read')
    this.segment = segment
  }
}

async function compose(
  deps: Pick<Deps, 'db' | 'storage'>,
  recording: Recording,
  order: SegmentsToCompose,
): Promise<ComposedVideo> {
  try {
    return await composeSegments(deps, recording, order)
  } catch (error) {
    const segment = error instanceof UnreadableCaptureError && order.segments[error.index]
    throw segment ? new UnreadableSegmentError(segment) : error
  }
}

/** Captures that follow each other, and videos that do, in their order. */
function runsOf(kept: readonly Segment[]): Segment[][] {
  const runs: Segment[][] = []
  for (const segment of kept) {
    const last = runs.at(-1)
    if (last !== undefined && isToBeComposed(last) === isCapture(segment)) last.push(segment)
    else runs.push([segment])
  }
  return runs
}

async function archiveSegments(
  deps: MakeDeps,
  recording: Recording,
  { kept, run: { signal } }: FileOrder,
): Promise<RecordingFile> {
  const { storage, clock } = deps
  const segments: { segment: Segment; measured: MeasuredSegment }[] = []
  const inOrder = kept.toSorted((a, b) => startOf(a).getTime() - startOf(b).getTime())
  for (const segment of inOrder) {
    segments.push({ segment, measured: await measureSegment(storage, segment, signal) })
  }
  const { isComplete } = await makeReport(deps.db, recording, clock())
  const { manifest, names, durationSec } = manifestOf(recording, segments, isComplete)
  const files = inOrder.map(({ storageKey, sizeBytes }, index) => ({
    name: names[index] ?? storageKey,
    sizeBytes: sizeBytes ?? 0,
    open: () => storage.read(storageKey),
  }))
  const storageKey = `${recording.tenantId}/recordings/${randomUUID()}`
  await expectObject(deps, storageKey)
  const archive = zipFiles({ files, manifest, madeAt: clock() })
  const { mime } = fileTypeOf(recording.outputMode)
  const { sizeBytes } = await storage.put(storageKey, archive, { mime })
  return { storageKey, sizeBytes, durationSec }
}

function totalSecOf(kept: readonly Segment[]): number {
  return kept.reduce((sum, { durationSec }) => sum + (durationSec ?? 0), 0)
}

/** `manifest.json` of an individual recording: who is in which file, and when. */
interface RecordingManifest {
  recording_id: string
  room_id: string
  /** Whether everybody who published is in it, all the time; null where that is not known. */
  is_complete: boolean | null
  files: {
    name: string
    participant_id: string | null
    role: string | null
    display_name: string | null
    /** From the beginning of the first file, pauses included. */
    offset_sec: number
    duration_sec: number
    codecs: SegmentCodecs
  }[]
}

interface DescribedSegment {
  segment: Segment
  measured: MeasuredSegment
}

interface DescribedFiles {
  manifest: RecordingManifest
  /** Of the files, in the order of the segments. */
  names: string[]
  /** From the beginning of the first file to the end of the last. */
  durationSec: number
}

/** Describes the files of an individual recording. */
function manifestOf(
  { id, roomId }: Pick<Recording, 'id' | 'roomId'>,
  segments: readonly DescribedSegment[],
  isComplete: boolean | null,
): DescribedFiles {
  const beganAt = Math.min(...segments.map(({ segment }) => startOf(segment).getTime()))
  const files = segments.map(({ segment, measured: { codecs, durationSec } }, index) => ({
    name: `${String(index + 1).padStart(3, '0')}-${segment.person?.role ?? 'participant'}.mp4`,
    participant_id: segment.person?.participantId ?? null,
    role: segment.person?.role ?? null,
    display_name: segment.person?.displayName ?? null,
    offset_sec: (startOf(segment).getTime() - beganAt) / 1000,
    duration_sec: durationSec ?? segment.durationSec ?? 0,
    codecs,
  }))
  return {
    manifest: { recording_id: id, room_id: roomId, is_complete: isComplete, files },
    names: files.map(({ name }) => name),
    durationSec: Math.max(...files.map((file) => file.offset_sec + file.duration_sec)),
  }
}

/** When media of it begins. */
function startOf({ startedAt, createdAt }: Segment): Date {
  return startedAt ?? createdAt
}
