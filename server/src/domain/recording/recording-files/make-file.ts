import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type {
  ComposedCaptures,
  ComposedVideo,
} from '../../../platform/media-files/compose-captures.ts'
import { findFfmpeg } from '../../../platform/media-files/find-ffmpeg.ts'
import { joinVideos } from '../../../platform/media-files/join-videos.ts'
import { withWorkspace } from '../../../platform/media-files/workspace.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { ObjectLocation } from '../../../platform/ports/storage.ts'
import { newVideoKey } from '../../../platform/storage/object-key.ts'
import { putExpected } from '../../../platform/storage/unclaimed-object.ts'
import { upsertActivities } from '../recordings/activity-store.ts'
import { fileTypeOf, type Recording } from '../recordings/recording.ts'
import { noteMade } from '../recordings/segment-store.ts'
import { type CompleteSegment, isCapture } from '../recordings/segment.ts'
import type { RecordingFile } from '../recordings/store.ts'
import type { StoredVoice } from '../recordings/voice-store.ts'
import { archiveSegments, type FileOrder } from './archive-segments.ts'
import { composeSegments } from './compose-segments.ts'

type MakeDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config'>

/** Parts are copied, not encoded, so joining takes a small share of their length. */
const JOIN_MIN_MS = 10 * 60_000
/** Validity of a segment's address, in seconds. */
const SEGMENT_FOR_SEC = 6 * 3600

/** A stored file, and the voices in it. No row names these objects yet. */
export interface MadeFile extends RecordingFile {
  voices: readonly StoredVoice[]
}

/** Makes and stores one file from several segments. Throws `MediaFileError`, `StorageError`. */
export async function makeFile(
  deps: MakeDeps,
  recording: Recording,
  order: FileOrder,
): Promise<MadeFile> {
  return recording.outputMode === 'composed'
    ? joinSegments(deps, recording, order)
    : { ...(await archiveSegments(deps, recording, order)), voices: [] }
}

export function isToBeComposed(kept: readonly CompleteSegment[]): boolean {
  return kept.some((segment) => isCapture(segment))
}

async function joinSegments(
  deps: MakeDeps,
  recording: Recording,
  order: FileOrder,
): Promise<MadeFile> {
  const { tenantId, outputMode } = recording
  return withWorkspace(deps.config.workDir, async (folder) => {
    const { path, durationSec, voices } = await joinIn(folder, deps, { ...order, recording })
    const storageKey = newVideoKey(tenantId, 'recordings')
    const { mime } = fileTypeOf(outputMode)
    const body = createReadStream(path)
    const { size: expectedBytes } = await stat(path)
    const { sizeBytes } = await putExpected(deps, storageKey, { body, mime, expectedBytes })
    const stored: StoredVoice[] = []
    for (const { identity, file } of voices) {
      const voiceKey = `${tenantId}/voices/${randomUUID()}.webm`
      const sound = { body: createReadStream(file), mime: 'audio/webm' }
      const put = await putExpected(deps, voiceKey, sound)
      stored.push({ mediaIdentity: identity, storageKey: voiceKey, ...put })
    }
    return { storageKey, sizeBytes, durationSec, voices: stored }
  })
}

/**
 * Joins the segments to one video in this directory. Consecutive captures are composed together. Throws `MediaFileError`,
 * `UnreadableSegmentError`, `EmptySegmentsError`, `StorageError`.
 */
export async function joinIn(
  folder: string,
  deps: Pick<Deps, 'db' | 'storage' | 'config'>,
  { kept, captures, run, recording }: FileOrder & { recording: Recording },
): Promise<ComposedVideo & Pick<ComposedCaptures, 'voices'>> {
  const { db, storage, config } = deps
  const ffmpeg = await findFfmpeg(config.ffmpegPath)
  const parts: ObjectLocation[] = []
  const videos = new Map<number, CompleteSegment>()
  for (const segments of runsOf(kept)) {
    if (isToBeComposed(segments)) {
      const job = { segments, captures, folder, ffmpeg, run }
      const composed = await composeSegments(deps, recording, job)
      if (segments.length === kept.length) {
        await upsertActivities(db, recording.id, composed.activities)
        return composed
      }
      parts.push({ kind: 'path', path: composed.path })
      continue
    }
    for (const segment of segments) {
      videos.set(parts.length, segment)
      parts.push(await storage.locate(segment.storageKey, { forSec: SEGMENT_FOR_SEC }))
    }
  }
  const deadlineMs = Math.max(JOIN_MIN_MS, totalSecOf(kept) * 1000)
  const { signal, log } = run
  const joining = { parts, folder, deadlineMs, signal, log }
  const { path, measured, lengthsSec } = await joinVideos(ffmpeg, joining)
  for (const [index, { id }] of videos)
    await noteMade(db, { id, durationSec: lengthsSec[index] ?? 0 })
  return { path, durationSec: measured.durationSec, voices: [] }
}

/** Groups of consecutive captures and of consecutive videos, in order. */
function runsOf(kept: readonly CompleteSegment[]): CompleteSegment[][] {
  const runs: CompleteSegment[][] = []
  for (const segment of kept) {
    const last = runs.at(-1)
    if (last !== undefined && isToBeComposed(last) === isCapture(segment)) last.push(segment)
    else runs.push([segment])
  }
  return runs
}

function totalSecOf(kept: readonly CompleteSegment[]): number {
  return kept.reduce((sum, { durationSec }) => sum + durationSec, 0)
}
