import { createHash } from 'node:crypto'
import {
  EncodedPacketSink,
  type Input,
  type InputAudioTrack,
  type InputVideoTrack,
} from 'mediabunny'
import type { ObjectLocation } from '../ports/storage.ts'
import { isUnreadable } from './media-file-error.ts'
import { readMedia } from './read-media.ts'

export interface MeasuredTrack {
  codec: string
  /** A hash of the decoder's configuration. Tracks with the same hash can follow each other. */
  setup: string
  /** The time at which its first packet is shown, by the file's clock, in seconds. */
  startSec: number
  /** The end of its last packet. */
  endSec: number
  packets: number
}

interface MeasuredVideoTrack extends MeasuredTrack {
  widthPx: number
  heightPx: number
  /** Mean over the file, frames per second. */
  frameRate: number
}

interface MeasuredAudio extends MeasuredTrack {
  sampleRate: number
  channels: number
}

export interface MeasuredVideo {
  /** Time from zero to the end of the last track, in seconds. */
  durationSec: number
  /** The main tracks; undefined if the file has none. */
  video: MeasuredVideoTrack | undefined
  audio: MeasuredAudio | undefined
}

/**
 * Reads the tables of a video file, not its pictures. Throws `MediaFileError` with `unreadable`
 * for any other file, `StorageError` when it cannot be fetched, the signal's reason when aborted.
 */
export async function measureVideo(
  location: ObjectLocation,
  signal?: AbortSignal,
): Promise<MeasuredVideo> {
  return readMedia(location, measure, { signal })
}

/**
 * True if the last packet of every track is in the file, so that nothing is cut off. False for a file that cannot be read.
 * Throws like `measureVideo`, except for `unreadable`.
 */
export async function isWholeVideo(
  location: ObjectLocation,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    return await readMedia(location, hasLastPackets, { signal })
  } catch (error) {
    if (isUnreadable(error)) return false
    throw error
  }
}

async function hasLastPackets(input: Input): Promise<boolean> {
  const tracks = await input.getTracks()
  for (const track of tracks) {
    const last = await new EncodedPacketSink(track).getPacket(Infinity)
    if (last === null || last.byteLength === 0 || last.data.byteLength < last.byteLength)
      return false
  }
  return tracks.length > 0
}

async function measure(input: Input): Promise<MeasuredVideo> {
  const videoTrack = await input.getPrimaryVideoTrack()
  const audioTrack = await input.getPrimaryAudioTrack()
  const video = videoTrack && {
    ...(await measureTrack(videoTrack)),
    widthPx: await videoTrack.getDisplayWidth(),
    heightPx: await videoTrack.getDisplayHeight(),
    frameRate: (await videoTrack.computePacketStats()).averagePacketRate,
  }
  const audio = audioTrack && {
    ...(await measureTrack(audioTrack)),
    sampleRate: await audioTrack.getSampleRate(),
    channels: await audioTrack.getNumberOfChannels(),
  }
  const durationSec = Math.max(video?.endSec ?? 0, audio?.endSec ?? 0)
  return { durationSec, video: video ?? undefined, audio: audio ?? undefined }
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
