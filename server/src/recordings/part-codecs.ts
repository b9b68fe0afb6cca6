import { type MeasuredTrack, measureVideo } from '../media-files/measure-video.ts'
import { MediaFileError } from '../media-files/media-file-error.ts'
import type { Storage } from '../storage/storage.ts'
import type { Segment } from './segment.ts'

/** By their usual names; null where the file has no picture or no sound. */
export interface PartCodecs {
  video: string | null
  audio: string | null
}

/** How long an address of a part holds that is only measured, in seconds. */
const MEASURED_FOR_SEC = 300
/** What files say, and how it is called. */
const NAMES = [
  ['avc1', 'h264'],
  ['avc3', 'h264'],
  ['mp4a.40', 'aac'],
] as const

/**
 * What a part was encoded with. Of one that cannot be read nothing is known: it is delivered all
 * the same. Throws `StorageError`, the signal's reason.
 */
export async function codecsOf(
  storage: Pick<Storage, 'locate'>,
  { storageKey }: Segment,
  signal: AbortSignal,
): Promise<PartCodecs> {
  const place = await storage.locate(storageKey, { forSec: MEASURED_FOR_SEC })
  try {
    const { picture, sound } = await measureVideo(place, signal)
    return { video: nameOf(picture), audio: nameOf(sound) }
  } catch (error) {
    if (error instanceof MediaFileError) return { video: null, audio: null }
    throw error
  }
}

function nameOf(track: MeasuredTrack | undefined): string | null {
  if (track === undefined) return null
  const known = NAMES.find(([prefix]) => track.codec.startsWith(prefix))
  return known?.[1] ?? track.codec
}
