import {
  type CapturedPart,
  type ComposedCaptures,
  composeCaptures,
  composedEncoding,
  UnreadableCaptureError,
} from '../../../platform/media-files/compose-captures.ts'
import { isEmpty, MediaFileError } from '../../../platform/media-files/media-file-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { type StoredCapture } from '../recordings/measure-segment.ts'
import { type Recording, videoFormOf } from '../recordings/recording.ts'
import { noteTrack } from '../recordings/report-store.ts'
import { findRecordedRoom } from '../recordings/running-store.ts'
import { noteMade } from '../recordings/segment-store.ts'
import { captureEndMsOf, type CompleteSegment } from '../recordings/segment.ts'
import { readContext } from './capture-context.ts'
import { fetchPieces, sizeOfChunks } from './composed-pieces.ts'
import type { FinishRun } from './finish-run.ts'
import type { StoredCaptures } from './stored-segments.ts'

type ComposeDeps = Pick<Deps, 'db' | 'storage'>

export interface SegmentsToCompose {
  /** Captures in order. At least one. */
  segments: readonly CompleteSegment[]
  captures: StoredCaptures
  folder: string
  ffmpeg: string
  run: FinishRun
}

/** A segment that can never be composed. */
export class UnreadableSegmentError extends MediaFileError {
  readonly segment: CompleteSegment

  constructor(segment: CompleteSegment) {
    super('unreadable', 'a captured segment cannot be read')
    this.segment = segment
  }
}

/** Segments without a single frame or sound, because each ended right after its beginning. */
export class EmptySegmentsError extends MediaFileError {
  readonly segments: readonly CompleteSegment[]

  constructor(segments: readonly CompleteSegment[]) {
    super('empty', 'nothing was captured')
    this.segments = segments
  }
}

/**
 * Composes captured segments into one video in this directory, with the room's presentations during that time. A segment of
 * one person shows only that person. Throws `MediaFileError`, `UnreadableSegmentError`, `EmptySegmentsError`,
 * `StorageError`.
 */
export async function composeSegments(
  { db, storage }: ComposeDeps,
  { roomId }: Pick<Recording, 'roomId'>,
  { segments, captures, folder, ffmpeg, run }: SegmentsToCompose,
): Promise<ComposedCaptures> {
  const room = await findRecordedRoom(db, roomId)
  if (room === undefined) throw new Error('the room of a recording is not there')
  const isOfPerson = segments.some(({ person }) => person !== null)
  const context = await readContext({ db, storage }, roomId, { segments, folder, run })
  const encoding = composedEncoding(videoFormOf(room))
  const parts: CapturedPart[] = []
  for (const segment of segments) {
    const capture = captureOf(segment, captures)
    // If anything is wrong with a piece, the next attempt does without them.
    const { archives, pieces } =
      isOfPerson || run.attempt > 1
        ? { archives: capture.archives, pieces: [] }
        : await fetchPieces(storage, segment, { capture, encoding, folder })
    parts.push({
      ...context.partOf(segment),
      archives: archives.map((key) => () => storage.read(key)),
      sizeBytes: sizeOfChunks(capture, archives),
      durationSec: segment.durationSec,
      untilMs: captureEndMsOf(segment),
      pieces,
    })
  }
  run.onProgress?.(0)
  const { signal, log, onProgress } = run
  const { places } = context
  const job = { parts, places, encoding, isFill: isOfPerson, folder, signal, log, onProgress }
  const composed = await composeCaptures(ffmpeg, job).catch((error: unknown) => {
    if (isEmpty(error)) throw new EmptySegmentsError(segments)
    const segment = error instanceof UnreadableCaptureError && segments[error.index]
    throw segment ? new UnreadableSegmentError(segment) : error
  })
  await storeContents(db, segments, composed)
  return composed
}

/**
 * Stores the gaps, the length and the published tracks of each capture for the report and the timeline, because the chunks are
 * deleted once the file exists. More may have arrived since the segment was measured. Everything after its end is unused. The
 * provider's notifications of tracks may have been lost.
 */
async function storeContents(
  db: ComposeDeps['db'],
  segments: readonly CompleteSegment[],
  { contents }: ComposedCaptures,
): Promise<void> {
  for (const [index, segment] of segments.entries()) {
    const content = contents[index]
    if (content === undefined) continue
    const { id, roomId, clockOffsetMs } = segment
    const offsetMs = clockOffsetMs ?? 0
    const absences = content.absences.map(({ fromMs, toMs, identity, reason, codec }) => ({
      fromMs: fromMs - offsetMs,
      toMs: toMs - offsetMs,
      ...(identity !== undefined && { mediaIdentity: identity }),
      ...(reason !== 'away' && { reason }),
      ...(codec !== undefined && { codec }),
    }))
    await noteMade(db, { id, absences, durationSec: content.durationSec })
    for (const { track, participant, publishedMs, unpublishedMs } of content.tracks) {
      const whose = { roomId, trackSid: track, mediaSid: participant }
      await noteTrack(db, { ...whose, isPublished: true, at: new Date(publishedMs - offsetMs) })
      if (unpublishedMs === null) continue
      await noteTrack(db, { ...whose, isPublished: false, at: new Date(unpublishedMs - offsetMs) })
    }
  }
}

function captureOf({ id }: CompleteSegment, captures: StoredCaptures): StoredCapture {
  const capture = captures.get(id)
  if (capture === undefined) throw new Error('what is composed was not looked for')
  return capture
}
