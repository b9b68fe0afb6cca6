import { ArchiveError } from '@interview-room/composer/capture/archive.ts'
import {
  CAPTURE_EXTENSION,
  chunkPrefixOf,
  readCaptureSummary,
} from '@interview-room/composer/capture/capture-archive.ts'
import {
  isWholeVideo,
  type MeasuredTrack,
  measureVideo,
} from '../../../platform/media-files/measure-video.ts'
import { MediaFileError } from '../../../platform/media-files/media-file-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { ObjectLocation, Storage } from '../../../platform/ports/storage.ts'
import type { StoredSegment } from './decide-segment.ts'
import { isCapture, type Segment } from './segment.ts'

/** Common names of the codecs. Null for a file without video or audio. */
export interface SegmentCodecs {
  video: string | null
  audio: string | null
}

export interface MeasuredSegment {
  codecs: SegmentCodecs
  /** Null if it is unreadable. */
  durationSec: number | null
}

/** Validity of a segment's address for measuring, in seconds. */
const MEASURED_FOR_SEC = 300
const NAMES = [
  ['avc1', 'h264'],
  ['avc3', 'h264'],
  ['mp4a.40', 'aac'],
] as const

/** Reads codecs and length of a segment that is stored as a video. Throws like `measureAt`, and `StorageError`. */
export async function measureSegment(
  storage: Pick<Storage, 'locate'>,
  { storageKey }: Pick<Segment, 'storageKey'>,
  signal?: AbortSignal,
): Promise<MeasuredSegment> {
  return measureAt(await storage.locate(storageKey, { forSec: MEASURED_FOR_SEC }), signal)
}

/**
 * The same for a video at this location. LiveKit counts until the stop request, and its file is a second or more longer.
 * For an unreadable one nothing is known; it is delivered anyway. Throws the signal's reason.
 */
export async function measureAt(
  location: ObjectLocation,
  signal?: AbortSignal,
): Promise<MeasuredSegment> {
  try {
    const { video, audio, durationSec } = await measureVideo(location, signal)
    return { codecs: { video: nameOf(video), audio: nameOf(audio) }, durationSec }
  } catch (error) {
    if (!(error instanceof MediaFileError)) throw error
    return { codecs: { video: null, audio: null }, durationSec: null }
  }
}

/**
 * Looks for a file in the storage. The storage is the truth about its size: one that differs from the reported size is taken
 * if the file is a whole video, and otherwise counts as not delivered yet. So does a file without content. Throws
 * `StorageError`, the signal's reason.
 * @param isVideo the file of an archive was measured when it was made, so its size must agree.
 * @returns its size in bytes; undefined if it is not there.
 */
export async function findFile(
  storage: Pick<Storage, 'head' | 'locate'>,
  {
    storageKey,
    sizeBytes,
    isVideo,
  }: { storageKey: string; sizeBytes: number | null; isVideo: boolean },
  signal?: AbortSignal,
): Promise<number | undefined> {
  const stored = await storage.head(storageKey)
  if (stored === undefined || stored.sizeBytes === 0) return undefined
  if (stored.sizeBytes === sizeBytes) return sizeBytes
  if (!isVideo) return undefined
  const location = await storage.locate(storageKey, { forSec: MEASURED_FOR_SEC })
  return (await isWholeVideo(location, signal)) ? stored.sizeBytes : undefined
}

function nameOf(track: MeasuredTrack | undefined): string | null {
  if (track === undefined) return null
  const known = NAMES.find(([prefix]) => track.codec.startsWith(prefix))
  return known?.[1] ?? track.codec
}

/**
 * Looks for the content of a segment in the storage: a readable file, or a capture's chunks. Returns null if there is none.
 * Throws `StorageError`.
 */
export async function measureStored(
  storage: Deps['storage'],
  segment: Pick<Segment, 'storageKey'>,
): Promise<StoredSegment | null> {
  if (!isCapture(segment)) {
    const stored = await storage.head(segment.storageKey)
    if (stored === undefined) return null
    const { durationSec } = await measureSegment(storage, segment)
    return durationSec === null ? null : { file: { sizeBytes: stored.sizeBytes, durationSec } }
  }
  const capture = await findCapture(storage, segment)
  const times = capture && (await captureTimes(storage, capture))
  if (times === undefined) return null
  const { startMs, endMs } = times
  const file = { sizeBytes: capture?.sizeBytes ?? 0, durationSec: (endMs - startMs) / 1000 }
  return { file, startedAt: new Date(startMs) }
}

/** The key under which to request a segment's capture. The provider distinguishes captures by the extension. */
export function captureKeyOf(videoKey: string): string {
  return videoKey.replace(/\.mp4$/, CAPTURE_EXTENSION)
}

export interface StoredCapture {
  /** Its chunks in order, or its only object. At least one. */
  archives: readonly string[]
  sizeBytes: number
}

type CaptureStorage = Pick<Storage, 'head' | 'listWithPrefix' | 'read'>

/**
 * Finds the stored chunks of a capture. It is delivered in chunks while recording, so that a lost recorder costs only the
 * last seconds. Returns undefined when nothing is stored. Throws `StorageError`.
 */
export async function findCapture(
  storage: CaptureStorage,
  { storageKey }: Pick<Segment, 'storageKey'>,
): Promise<StoredCapture | undefined> {
  const chunks = await storage.listWithPrefix(chunkPrefixOf(storageKey))
  if (chunks.length > 0) {
    const sizeBytes = chunks.reduce((sum, chunk) => sum + chunk.sizeBytes, 0)
    return { archives: chunks.map(({ key }) => key), sizeBytes }
  }
  const whole = await storage.head(storageKey)
  return whole && { archives: [storageKey], sizeBytes: whole.sizeBytes }
}

/** Start and end of the captured time. Returns undefined for an object that is not a capture. Throws `StorageError`. */
export async function captureTimes(
  storage: CaptureStorage,
  { archives }: StoredCapture,
): Promise<{ startMs: number; endMs: number } | undefined> {
  try {
    // Each chunk contains the end of the capture so far.
    return await readCaptureSummary(await storage.read(archives.at(-1) ?? ''))
  } catch (error) {
    if (error instanceof ArchiveError) return undefined
    throw error
  }
}
