import { rm } from 'node:fs/promises'
import { joinByCopying } from './join-by-copying.ts'
import { joinByEncoding } from './join-by-encoding.ts'
import { type MeasuredVideo, measureVideo } from './measure-video.ts'
import { hasFailed, isUnreadable, MediaFileError } from './media-file-error.ts'
import { isAsLongAs, isInStep, isSameKind, type JoinJob, type Part } from './parts.ts'

export interface JoinedVideo {
  /** The file, an MP4 that plays while it loads, in the given folder. */
  path: string
  measured: MeasuredVideo
  /** The part of the file that each segment takes, in the order of the segments. */
  lengthsSec: readonly number[]
  /** True if audio and video are bit for bit those of the segments. */
  isLossless: boolean
}

type MadeVideo = Omit<JoinedVideo, 'lengthsSec'>

/**
 * Makes one MP4 of the segments of a recording, without gaps. Segments of one kind are copied unchanged. They are encoded again if
 * they differ, or if the copy has another length than the parts or is out of step at a seam. Throws `MediaFileError` (`unreadable`
 * if a part is the cause), `StorageError`, the signal's reason.
 */
export async function joinVideos(ffmpeg: string, joining: JoinJob): Promise<JoinedVideo> {
  const { signal } = joining
  const parts: Part[] = []
  for (const location of joining.parts)
    parts.push({ location, ...(await measureVideo(location, signal)) })

  const lengthsSec = parts.map(({ durationSec }) => durationSec)
  return { ...(await makeOne(ffmpeg, joining, parts)), lengthsSec }
}

async function makeOne(
  ffmpeg: string,
  joining: JoinJob,
  parts: readonly Part[],
): Promise<MadeVideo> {
  const { log } = joining
  try {
    return await joinWithoutLoss(joining, parts)
  } catch (copying) {
    if (!isUnreadable(copying) && !hasFailed(copying)) throw copying
    const { message: reason } = copying
    log.warn({ parts: parts.length, reason }, 'segments re-encoded to join them')
    return await joinEncoded(ffmpeg, joining, parts).catch((error: unknown) => {
      // Encoding did not find out what is wrong with a part either, so the error of copying is the better one.
      throw isUnreadable(copying) && hasFailed(error) ? copying : error
    })
  }
}

async function joinEncoded(
  ffmpeg: string,
  joining: JoinJob,
  parts: readonly Part[],
): Promise<MadeVideo> {
  const file = await joinByEncoding(ffmpeg, joining, parts)
  const measured = await measureMade(file, joining.signal)
  if (isAsLongAs(parts, measured)) return { path: file, measured, isLossless: false }
  throw new MediaFileError('failed', 'the joined video is not as long as its parts')
}

/** Our own unreadable file is not the fault of the parts. */
async function measureMade(file: string, signal: AbortSignal): Promise<MeasuredVideo> {
  return measureVideo({ kind: 'path', path: file }, signal).catch((error: unknown) => {
    if (!isUnreadable(error)) throw error
    throw new MediaFileError('failed', 'the joined video cannot be read')
  })
}

/** Throws `MediaFileError` with `failed` and why, when that does not give what it should. */
async function joinWithoutLoss(joining: JoinJob, parts: readonly Part[]): Promise<MadeVideo> {
  const { signal } = joining
  if (!isSameKind(parts)) throw new MediaFileError('failed', 'the parts are not of one kind')
  const file = await joinByCopying(joining, parts)
  const location = { kind: 'path', path: file } as const
  const measured = await measureMade(file, signal)
  const isLong = isAsLongAs(parts, measured)
  if (isLong && (await isInStep(parts, location, signal))) {
    return { path: file, measured, isLossless: true }
  }
  await rm(file, { force: true })
  const reason = isLong ? 'the copy is out of step' : 'the copy is not as long as its parts'
  throw new MediaFileError('failed', reason)
}
