import path from 'node:path'
import { EncodedPacketSink } from 'mediabunny'
import type { Logger } from 'pino'
import type { ObjectLocation } from '../ports/storage.ts'
import { ENCODING_ARGS, MP4_ARGS, OWN_TIMES, inputArgs } from './ffmpeg-args.ts'
import { withLocalAddresses } from './local-addresses.ts'
import { type MeasuredVideo, measureVideo } from './measure-video.ts'
import { MediaFileError } from './media-file-error.ts'
import { frameSecOf } from './parts.ts'
import { readMedia } from './read-media.ts'
import { runFfmpeg } from './run-ffmpeg.ts'

export interface TrimJob {
  source: ObjectLocation
  /** The range, from the first moment that is kept to the first that is not, in seconds. */
  startSec: number
  endSec: number
  /** Where the file is made. */
  folder: string
  deadlineMs: number
  signal: AbortSignal
  log: Logger
  /** Seconds of the result that are done. */
  onProgress?: (doneSec: number) => void
}

export interface TrimmedVideo {
  path: string
  measured: MeasuredVideo
}

/** Decoders are given so much before the start, to have come into their stride. */
const LEAD_SEC = 1
/** A range that ends sooner is none to ffmpeg, which then keeps no picture: one picture is the least. */
const SHORTEST_SEC = 0.001
/** What is lost of a time when it is written down. */
const ROUNDING_SEC = 0.001

/**
 * Cuts a range out of a video, exact to the picture: it begins with the one that is shown at the
 * start, and nothing of what is cut away is left in the file. Encoded again, in the size and rate
 * of the source. Throws `MediaFileError`, `StorageError`, the signal's reason.
 */
export async function trimVideo(ffmpeg: string, job: TrimJob): Promise<TrimmedVideo> {
  const trimming = { ...job, endSec: Math.max(job.endSec, job.startSec + SHORTEST_SEC) }
  const { source, folder, signal } = trimming
  const measured = await measureVideo(source, signal)
  const firstSec = await findShownAt(source, trimming)
  const target = path.join(folder, 'trimmed.mp4')
  const seekSec = Math.max(0, Math.min(firstSec, trimming.startSec) - LEAD_SEC)
  const argsFor = (local: ObjectLocation) => [
    '-ss',
    seekSec.toFixed(6),
    // Counted from zero, not from the first packet, which may come later; the filters do the rest.
    ...'-seek_timestamp 1 -noaccurate_seek'.split(' '),
    // The filters name them.
    OWN_TIMES,
    ...inputArgs(local),
    ...(measured.video === undefined ? [] : videoArgs(trimming, firstSec)),
    ...(measured.audio === undefined ? [] : audioArgs(trimming)),
    // Between two pictures of the source, the last one may come to lie behind the end.
    '-t',
    (trimming.endSec - trimming.startSec).toFixed(6),
    ...ENCODING_ARGS,
    ...MP4_ARGS,
    `file:${target}`,
  ]
  await withLocalAddresses([source], ([local = source]) =>
    runFfmpeg(ffmpeg, { ...trimming, args: argsFor(local) }),
  )
  const result = { kind: 'path', path: target } as const
  return { path: target, measured: checked(await measureVideo(result, signal), measured, trimming) }
}

/** When the picture begins that is shown at the start of the range. */
async function findShownAt(
  source: ObjectLocation,
  { startSec, signal }: Pick<TrimJob, 'startSec' | 'signal'>,
): Promise<number> {
  return readMedia(
    source,
    async (input) => {
      const track = await input.getPrimaryVideoTrack()
      if (track === null) return startSec
      const sink = new EncodedPacketSink(track)
      const options = { metadataOnly: true }
      const shown = await sink.getPacket(startSec + ROUNDING_SEC / 2, options)
      return shown?.timestamp ?? startSec
    },
    { signal },
  )
}

function videoArgs({ startSec, endSec }: TrimJob, firstSec: number): string[] {
  const from = Math.min(firstSec, startSec) - ROUNDING_SEC
  const range = `trim=start=${from.toFixed(6)}:end=${endSec.toFixed(6)}`
  // The first picture has been shown for a while when the range begins.
  const shifted = `setpts='max(0,PTS-${startSec.toFixed(6)}/TB)'`
  return ['-map', '0:v:0', '-vf', `${range},${shifted}`]
}

function audioArgs({ startSec, endSec }: TrimJob): string[] {
  const range = `atrim=start=${startSec.toFixed(6)}:end=${endSec.toFixed(6)}`
  const shifted = `asetpts=PTS-${startSec.toFixed(6)}/TB`
  // Where there is none, as behind the end of the sound, it is silent: `-t` ends that.
  return ['-map', '0:a:0', '-af', `${range},${shifted},aresample=async=1:first_pts=0,apad`]
}

/** ffmpeg may end well without having written everything. */
function checked(
  made: MeasuredVideo,
  source: MeasuredVideo,
  { startSec, endSec }: TrimJob,
): MeasuredVideo {
  const wantedSec = Math.min(endSec, source.durationSec) - startSec
  const isLong = Math.abs(made.durationSec - wantedSec) <= frameSecOf([source]) + LONGEST_PACKET_SEC
  const isComplete =
    (made.video === undefined) === (source.video === undefined) &&
    (made.audio === undefined) === (source.audio === undefined)
  if (isLong && isComplete) return made
  throw new MediaFileError('failed', 'the trimmed video is not as long as its range')
}

/** Of AAC at 44.1 kHz; sound ends with a whole one. */
const LONGEST_PACKET_SEC = 0.024
