import { EncodedPacketSink, type Input } from 'mediabunny'
import type { Logger } from 'pino'
import type { ObjectLocation } from '../ports/storage.ts'
import type { MeasuredTrack, MeasuredVideo } from './measure-video.ts'
import { readMedia } from './read-media.ts'

/** An order to join parts into one file. */
export interface JoinJob {
  /** In order; at least one. */
  parts: readonly ObjectLocation[]
  /** The folder for temporary files, and for the joined file. */
  folder: string
  deadlineMs: number
  signal: AbortSignal
  log: Logger
}

/** One of the videos to join. */
export interface Part extends MeasuredVideo {
  location: ObjectLocation
}

/** The precision that a time loses in the tables of a file. */
const ROUNDING_SEC = 0.001

/** True if a decoder that was configured for the first part can continue with the others. */
export function isSameKind(parts: readonly MeasuredVideo[]): boolean {
  const kinds = parts.map(({ video, audio }) =>
    JSON.stringify([
      video && [video.codec, video.setup, video.widthPx, video.heightPx],
      audio && [audio.codec, audio.setup, audio.sampleRate, audio.channels],
    ]),
  )
  return new Set(kinds).size === 1
}

export function sumOf(parts: readonly Pick<MeasuredVideo, 'durationSec'>[]): number {
  return parts.reduce((sum, { durationSec }) => sum + durationSec, 0)
}

/** The duration of a frame of the slowest video; a fifteenth of a second without a picture. */
export function frameSecOf(videos: readonly MeasuredVideo[]): number {
  return Math.max(...videos.map(({ video }) => 1 / (video?.frameRate ?? 15)))
}

/** True if the video is as long as its parts together, within a frame. */
export function isAsLongAs(parts: readonly MeasuredVideo[], joined: MeasuredVideo): boolean {
  const difference = Math.abs(joined.durationSec - sumOf(parts))
  return difference <= frameSecOf(parts) + ROUNDING_SEC
}

/** True if audio and video of every segment begin at their expected time, within a frame. */
export async function isInStep(
  parts: readonly Part[],
  joined: ObjectLocation,
  signal: AbortSignal,
): Promise<boolean> {
  const toleranceSec = frameSecOf(parts) + ROUNDING_SEC
  return readMedia(
    joined,
    async (input) => {
      let offsetSec = 0
      for (const { video, audio, durationSec } of parts) {
        const seam = { input, offsetSec, toleranceSec }
        if (!(await beginsAt(seam, 'picture', video))) return false
        if (!(await beginsAt(seam, 'sound', audio))) return false
        offsetSec += durationSec
      }
      return true
    },
    { signal },
  )
}

async function beginsAt(
  { input, offsetSec, toleranceSec }: { input: Input; offsetSec: number; toleranceSec: number },
  kind: 'picture' | 'sound',
  track: MeasuredTrack | undefined,
): Promise<boolean> {
  const joined =
    kind === 'picture' ? await input.getPrimaryVideoTrack() : await input.getPrimaryAudioTrack()
  if (track === undefined || joined === null) return track === undefined && joined === null
  // Packets before zero configure the decoder and are not shown.
  const wantedSec = offsetSec + Math.max(0, track.startSec)
  const sink = new EncodedPacketSink(joined)
  const options = { metadataOnly: true }
  // A part begins with a frame that needs no other.
  const packet = await sink.getKeyPacket(wantedSec + toleranceSec / 2, options)
  return packet !== null && Math.abs(packet.timestamp - wantedSec) <= toleranceSec
}
