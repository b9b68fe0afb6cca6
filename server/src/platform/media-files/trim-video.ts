import path from 'node:path'
import { EncodedPacketSink } from 'mediabunny'
import type { Logger } from 'pino'
import type { ObjectLocation } from '../ports/storage.ts'
import { type DrawnText, drawingFilters } from './draw-text.ts'
import {
  ENCODING_ARGS,
  formFilters,
  inputArgs,
  MP4_ARGS,
  OWN_TIMES,
  type VideoForm,
} from './ffmpeg-args.ts'
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
  /** The folder for the file. */
  folder: string
  deadlineMs: number
  signal: AbortSignal
  log: Logger
  /** Seconds of the result that are done. */
  onProgress?: (doneSec: number) => void
  /** Another form than that of the source. */
  form?: VideoForm
  text?: DrawnText
  fileName?: string
}

export interface TrimmedVideo {
  path: string
  measured: MeasuredVideo
}

/** Decoders start this many seconds before the range, so that they have recovered when it begins. */
const LEAD_SEC = 1
/** For ffmpeg a shorter range is empty, and it would keep no picture. One picture is the minimum. */
const SHORTEST_SEC = 0.001
/** The precision that a time loses when it is stored. */
const ROUNDING_SEC = 0.001

/**
 * Cuts a range out of a video, exact to the frame: it begins with the frame shown at the start, and nothing outside the range is
 * left in the file. The result is encoded again, in the size and rate of the source or in another form, perhaps with texts. Throws `MediaFileError`, `StorageError`, the
 * signal's reason.
 */
export async function trimVideo(ffmpeg: string, job: TrimJob): Promise<TrimmedVideo> {
  const trimming = { ...job, endSec: Math.max(job.endSec, job.startSec + SHORTEST_SEC) }
  const { source, folder, signal, form, fileName = 'trimmed.mp4' } = trimming
  const measured = await measureVideo(source, signal)
  const firstSec = await findShownAt(source, trimming)
  const frameSec = Math.max(frameSecOf([measured]), form === undefined ? 0 : 1 / form.frameRate)
  const extra = await extraFilters(trimming, measured)
  const target = path.join(folder, fileName)
  const seekSec = Math.max(0, Math.min(firstSec, trimming.startSec) - LEAD_SEC)
  const argsFor = (local: ObjectLocation) => [
    '-ss',
    seekSec.toFixed(6),
    // Seeks from zero instead of the first packet, which may be later. The filters cut exactly.
    ...'-seek_timestamp 1 -noaccurate_seek'.split(' '),
    // The filters use these times.
    OWN_TIMES,
    ...inputArgs(local),
    ...(measured.video === undefined ? [] : videoArgs(trimming, { firstSec, frameSec, extra })),
    ...(measured.audio === undefined ? [] : audioArgs(trimming)),
    // If the end falls between two frames of the source, the last frame may start after it.
    '-t',
    (trimming.endSec - trimming.startSec).toFixed(6),
    ...ENCODING_ARGS,
    ...MP4_ARGS,
    `file:${target}`,
  ]
  await withLocalAddresses([source], ([local = source]) =>
    runFfmpeg(ffmpeg, { ...trimming, args: argsFor(local) }),
  )
  // ffmpeg 7 counts from its first report, and a short job has no other.
  job.onProgress?.(trimming.endSec - trimming.startSec)
  const result = { kind: 'path', path: target } as const
  return {
    path: target,
    measured: checked(await measureVideo(result, signal), measured, { ...trimming, frameSec }),
  }
}

/** The start time of the frame that is shown when the range begins. */
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

/** The filters that give another form, and that draw the texts. */
async function extraFilters(
  { form, text, folder }: TrimJob,
  { video }: MeasuredVideo,
): Promise<string[]> {
  const picture = form ?? video
  if (picture === undefined) return []
  return [
    ...(form === undefined ? [] : [...formFilters(form), SAME_COLOURS]),
    ...(text === undefined ? [] : await drawingFilters(text, picture, folder)),
  ]
}

/** Files whose colours are named alike can follow each other. */
export const SAME_COLOURS =
  'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709'

function videoArgs(
  { startSec, endSec }: TrimJob,
  { firstSec, frameSec, extra }: { firstSec: number; frameSec: number; extra: readonly string[] },
): string[] {
  const from = Math.min(firstSec, startSec) - ROUNDING_SEC
  const range = `trim=start=${from.toFixed(6)}:end=${endSec.toFixed(6)}`
  // The first frame has already been shown for a while when the range begins.
  const shifted = `setpts='max(0,PTS-${startSec.toFixed(6)}/TB)'`
  // The last frame has no duration after `setpts` of ffmpeg 7, so it would not be shown.
  const lasting = `setts=pts=PTS:dts=DTS:duration=${frameSec.toFixed(6)}/TB`
  return ['-map', '0:v:0', '-vf', [range, shifted, ...extra].join(','), '-bsf:v', lasting]
}

function audioArgs({ startSec, endSec, form }: TrimJob): string[] {
  const range = `atrim=start=${startSec.toFixed(6)}:end=${endSec.toFixed(6)}`
  const shifted = `asetpts=PTS-${startSec.toFixed(6)}/TB`
  // Adds silence where the source has no sound, for example after the end of its track; `-t` ends it.
  const same = form === undefined ? '' : ',aformat=sample_rates=48000:channel_layouts=stereo'
  return ['-map', '0:a:0', '-af', `${range},${shifted},aresample=async=1:first_pts=0,apad${same}`]
}

/** ffmpeg may exit with success without having written everything. */
function checked(
  made: MeasuredVideo,
  source: MeasuredVideo,
  { startSec, endSec, frameSec }: TrimJob & { frameSec: number },
): MeasuredVideo {
  const wantedSec = Math.min(endSec, source.durationSec) - startSec
  // The last frame of a source may be cut, and those of the result are whole.
  const longestSec = Math.max(frameSec, frameSecOf([made])) + LONGEST_PACKET_SEC
  const isLong = Math.abs(made.durationSec - wantedSec) <= longestSec
  const isComplete =
    (made.video === undefined) === (source.video === undefined) &&
    (made.audio === undefined) === (source.audio === undefined)
  if (isLong && isComplete) return made
  throw new MediaFileError('failed', 'the trimmed video is not as long as its range')
}

/** Duration of an AAC packet at 44.1 kHz. Sound ends with a whole packet. */
const LONGEST_PACKET_SEC = 0.024
