import { createHash } from 'node:crypto'
import type { Input, InputAudioTrack, InputVideoTrack } from 'mediabunny'
import type { ObjectPlace } from '../ports/storage.ts'
import { readMedia } from './read-media.ts'

export interface MeasuredTrack {
  codec: string
  /** What a decoder is set up with, as a hash: those of one kind can follow each other. */
  setup: string
  /** When its first packet is shown, as the file's clock runs, in seconds. */
  startSec: number
  /** When its last packet ends. */
  endSec: number
  packets: number
}

interface MeasuredPicture extends MeasuredTrack {
  widthPx: number
  heightPx: number
  /** Mean over the file, frames per second. */
  frameRate: number
}

interface MeasuredSound extends MeasuredTrack {
  sampleRate: number
  channels: number
}

export interface MeasuredVideo {
  /** From zero to the end of the last track, in seconds. */
  durationSec: number
  /** The main tracks; undefined where the file has none. */
  picture: MeasuredPicture | undefined
  sound: MeasuredSound | undefined
}

/**
 * Reads the tables of a video file, not its pictures. Throws `MediaFileError` with `unreadable`
 * for what is none, `StorageError` when it cannot be fetched, the signal's reason when aborted.
 */
export async function measureVideo(
  place: ObjectPlace,
  signal?: AbortSignal,
): Promise<MeasuredVideo> {
  return readMedia(place, measure, { signal })
}

async function measure(input: Input): Promise<MeasuredVideo> {
  const video = await input.getPrimaryVideoTrack()
  const audio = await input.getPrimaryAudioTrack()
  const picture = video && {
    ...(await measureTrack(video)),
    widthPx: await video.getDisplayWidth(),
    heightPx: await video.getDisplayHeight(),
    frameRate: (await video.computePacketStats()).averagePacketRate,
  }
  const sound = audio && {
    ...(await measureTrack(audio)),
    sampleRate: await audio.getSampleRate(),
    channels: await audio.getNumberOfChannels(),
  }
  const durationSec = Math.max(picture?.endSec ?? 0, sound?.endSec ?? 0)
  return { durationSec, picture: picture ?? undefined, sound: sound ?? undefined }
}

async function measureTrack(track: InputVideoTrack | InputAudioTrack): Promise<MeasuredTrack> {
  const { packetCount } = await track.computePacketStats()
  const config = await track.getDecoderConfig()
  return {
    codec: config?.codec ?? 'unknown',
    setup: hashOf(config?.description),
    startSec: await track.getFirstTimestamp(),
    endSec: await track.computeDuration(),
    packets: packetCount,
  }
}

function hashOf(bytes: ArrayBufferView | ArrayBufferLike | undefined): string {
  if (bytes === undefined) return ''
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(bytes)
    ? bytes
    : { buffer: bytes, byteOffset: 0, byteLength: bytes.byteLength }
  return createHash('sha256')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('hex')
}
