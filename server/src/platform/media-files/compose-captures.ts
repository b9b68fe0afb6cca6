import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Activity } from '@interview-room/composer/activity.ts'
import { ArchiveError } from '@interview-room/composer/capture/archive.ts'
import {
  type CaptureSummary,
  unpackCapture,
} from '@interview-room/composer/capture/capture-archive.ts'
import type { Exhibit } from '@interview-room/composer/exhibits.ts'
import type { Encoding } from '@interview-room/composer/ffmpeg-arguments.ts'
import type { Voice } from '@interview-room/composer/join-pieces.ts'
import type { AnnouncedTrack, CaptureAbsence } from '@interview-room/composer/losses.ts'
import type { Piece, PieceEnd } from '@interview-room/composer/pieces.ts'
import type { CompositionPlan } from '@interview-room/composer/plan.ts'
import {
  CompositionError,
  runComposition,
  runPiece,
} from '@interview-room/composer/run-composition.ts'
import type { Spotlight } from '@interview-room/composer/spotlights.ts'
import type { Logger } from 'pino'
import { diskFull, MediaFileError, saysDiskFull } from './media-file-error.ts'
import { requireSpace } from './workspace.ts'

/** One capture of the media provider, from its start to its end. */
export interface CapturedPart {
  /** Functions that open the archives: one for the whole capture, or its chunks in order. Those that the pieces cover are left out. */
  archives: readonly (() => Promise<Readable>)[]
  sizeBytes: number
  durationSec: number
  /** Images and videos that were shown meanwhile, by the clock of the capture. */
  exhibits: readonly Exhibit[]
  /** People whom everybody saw large meanwhile, by the clock of the capture. */
  spotlights: readonly Spotlight[]
  /** Nothing after this is used; in milliseconds by the clock of the capture. */
  untilMs?: number | undefined
  /** Its beginning, as far as it is composed already. None by default. */
  pieces?: readonly Piece[] | undefined
}

export interface ComposeJob {
  /** In order; at least one. */
  parts: readonly CapturedPart[]
  /** Media identities in the order of their tiles. */
  places: readonly string[]
  /** One picture fills everything, as for the recording of one person. */
  isFill: boolean
  encoding: Encoding
  /** The folder for temporary files, and for the video. */
  folder: string
  signal: AbortSignal
  log: Logger
  /** Called with the finished share, 0 to 1. */
  onProgress?: ((share: number) => void) | undefined
}

/** The next piece of a capture. */
export type PieceToCompose = Omit<ComposeJob, 'parts' | 'isFill' | 'onProgress'> & {
  part: CapturedPart
  /** The end of the piece before, if there is one. */
  after: PieceEnd | undefined
  /** More of the capture may arrive. */
  isRunning: boolean
}

export interface ComposedPiece {
  piece: Piece
  /** The index of the first archive that the piece after it needs. */
  neededFrom: number
}

export interface ComposedVideo {
  path: string
  durationSec: number
}

export interface ComposedCaptures extends ComposedVideo {
  /** One entry for each part. */
  contents: readonly CaptureContent[]
  /** The speech in the video, by media identity. */
  activities: readonly Activity[]
  /** The sound of each person alone, in the video's time. None for the video of one person. */
  voices: readonly Voice[]
}

interface CaptureContent {
  /** How much of the video the part takes. */
  durationSec: number
  /** The parts of it that lack media, by its own clock, in milliseconds since 1970. */
  absences: readonly CaptureAbsence[]
  tracks: readonly AnnouncedTrack[]
}

/** One of the captures is invalid or broken. */
export class UnreadableCaptureError extends MediaFileError {
  /** The index of the broken part. */
  readonly index: number

  constructor(index: number) {
    super('unreadable', 'a capture cannot be read')
    this.index = index
  }
}

/** Composing is many times faster than the recording was, but live rooms come first. */
const PATIENCE = { baseMs: 10 * 60_000, timesLength: 8 }
/** Disk space as a multiple of the captures: the unpacked data, the streams taken out for decoding, and the video. */
const SPACE_TIMES = 3
const AUDIO_KBPS = 128
const KEY_FRAME_SEC = 4

/** The usual encoding of a recording of everybody together. */
export function composedEncoding(
  video: Pick<Encoding, 'width' | 'height' | 'frameRate' | 'videoKbps'>,
): Encoding {
  return { ...video, audioKbps: AUDIO_KBPS, keyFrameSec: KEY_FRAME_SEC }
}

/**
 * Makes one MP4 of consecutive captures, in low-priority processes. Throws `MediaFileError`, `UnreadableCaptureError` for a broken
 * part, the signal's reason, and any error of opening a part.
 */
export async function composeCaptures(ffmpeg: string, job: ComposeJob): Promise<ComposedCaptures> {
  const { parts, places, encoding, isFill, folder, signal, onProgress } = job
  await requireSpace(folder, SPACE_TIMES * parts.reduce((sum, part) => sum + part.sizeBytes, 0))
  const captures = []
  for (const [index, part] of parts.entries()) {
    const { archives, exhibits, spotlights, untilMs, pieces } = part
    const unpacked = archives.length > 0 && (await unpack(part, { index, folder, signal })).folder
    captures.push({ folder: unpacked || undefined, exhibits, spotlights, untilMs, pieces })
  }
  const file = path.join(folder, `${randomUUID()}.mp4`)
  const scratchFolder = path.join(folder, `scratch-${randomUUID()}`)
  const composition = {
    plan: planOf(encoding, isFill),
    program: ffmpeg,
    captures,
    places,
    scratchFolder,
    file,
    voiceFolder: isFill ? undefined : folder,
  }
  const lengthMs = parts.reduce((sum, { durationSec }) => sum + durationSec * 1000, 0)
  const composed = await patiently(job, lengthMs, (limit) =>
    runComposition(composition, limit, onProgress),
  )
  const { durationMs, activities, voices } = composed
  const contents = composed.captures.map(({ durationMs: partMs, ...content }) => {
    return { ...content, durationSec: partMs / 1000 }
  })
  return { path: file, durationSec: durationMs / 1000, contents, activities, voices }
}

/**
 * Composes the next piece of a capture, at the lowest priority; undefined if there is too little for one. Throws `MediaFileError`,
 * the signal's reason, and any error of opening an archive.
 */
export async function composeNextPiece(
  ffmpeg: string,
  job: PieceToCompose,
): Promise<ComposedPiece | undefined> {
  const { part, after, isRunning, places, encoding, folder, signal } = job
  await requireSpace(folder, SPACE_TIMES * part.sizeBytes)
  const { folder: captureFolder, endsMs } = await unpack(part, { index: 0, folder, signal })
  const { exhibits, spotlights, untilMs } = part
  const pieceJob = {
    plan: planOf(encoding, false),
    program: ffmpeg,
    capture: { folder: captureFolder, exhibits, spotlights, untilMs },
    places,
    after,
    isRunning,
    scratchFolder: path.join(folder, 'scratch'),
    folder: path.join(folder, 'piece'),
  }
  const piece = await patiently(job, part.durationSec * 1000, (limit) => runPiece(pieceJob, limit))
  if (piece === undefined) return undefined
  const { neededMs } = piece.summary.end
  return { piece, neededFrom: endsMs.findLastIndex((endMs) => endMs < neededMs) + 1 }
}

function planOf(encoding: Encoding, isFill: boolean): CompositionPlan {
  return { layout: 'grid', isFill, hasPicture: true, hasSound: true, encoding }
}

/** Runs a composition within its time. Throws `MediaFileError`, or the signal's reason. */
async function patiently<T>(
  { signal, log }: Pick<ComposeJob, 'signal' | 'log'>,
  lengthMs: number,
  work: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const timedOut = AbortSignal.timeout(Math.ceil(PATIENCE.baseMs + PATIENCE.timesLength * lengthMs))
  try {
    return await work(AbortSignal.any([signal, timedOut]))
  } catch (error) {
    signal.throwIfAborted()
    if (timedOut.aborted) throw new MediaFileError('timed_out', 'composing took too long')
    if (!(error instanceof CompositionError)) throw error
    log.warn({ err: error }, 'composing failed')
    if (saysDiskFull(error.message)) throw diskFull()
    if (error.isEmpty) throw new MediaFileError('empty', 'nothing was captured')
    if (error.unreadable !== undefined) throw new UnreadableCaptureError(error.unreadable)
    throw new MediaFileError('failed', 'composing failed')
  }
}

/** Unpacks a capture; returns the ends of its archives, in milliseconds by its clock. */
async function unpack(
  part: CapturedPart,
  { index, folder, signal }: { index: number; folder: string; signal: AbortSignal },
): Promise<{ folder: string; endsMs: readonly number[] }> {
  signal.throwIfAborted()
  const target = path.join(folder, `capture-${randomUUID()}`)
  await mkdir(target)
  const endsMs: number[] = []
  for (const open of part.archives) {
    const summary = await unpackInto(target, await open(), signal).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error instanceof ArchiveError ? new UnreadableCaptureError(index) : error
    })
    endsMs.push(summary.endMs)
  }
  return { folder: target, endsMs }
}

async function unpackInto(
  target: string,
  archive: Readable,
  signal: AbortSignal,
): Promise<CaptureSummary> {
  const stop = () => archive.destroy()
  signal.addEventListener('abort', stop)
  try {
    return await unpackCapture(archive, target)
  } finally {
    signal.removeEventListener('abort', stop)
    archive.destroy()
  }
}
