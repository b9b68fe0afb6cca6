import path from 'node:path'
import {
  ENCODING_ARGS,
  formFilters,
  inputArgs,
  MP4_ARGS,
  OWN_TIMES,
  type VideoForm,
} from './ffmpeg-args.ts'
import { withLocalAddresses } from './local-addresses.ts'
import type { JoinJob, Part } from './parts.ts'
import { runFfmpeg } from './run-ffmpeg.ts'

const SAMPLE_RATE = 48_000

/**
 * Decodes the parts, converts them to one size and rate, and encodes them one after another. A part without a picture or sound gets
 * black or silence. Returns the path of the file.
 */
export async function joinByEncoding(
  ffmpeg: string,
  joining: JoinJob,
  parts: readonly Part[],
): Promise<string> {
  const locations = parts.map(({ location }) => location)
  return withLocalAddresses(locations, (local) => {
    const localParts = parts.map((part, index) => ({
      ...part,
      location: local[index] ?? part.location,
    }))
    return encode(ffmpeg, joining, localParts)
  })
}

async function encode(ffmpeg: string, joining: JoinJob, parts: readonly Part[]): Promise<string> {
  const target = path.join(joining.folder, 'encoded.mp4')
  const format = formatOf(parts)
  const inputs: string[] = []
  const filters: string[] = []
  const labels: string[] = []
  let count = 0
  const take = (args: readonly string[]): number => {
    inputs.push(...args)
    count += 1
    return count - 1
  }
  for (const [index, part] of parts.entries()) {
    const file = take(inputArgs(part.location))
    const video = part.video === undefined ? take(blackFor(part, format)) : file
    const audio = part.audio === undefined ? take(silenceFor(part)) : file
    filters.push(`[${video}:v:0]${formFilters(format).join(',')}[v${index}]`)
    filters.push(`[${audio}:a:0]${AUDIO_FILTER}[a${index}]`)
    labels.push(`[v${index}][a${index}]`)
  }
  filters.push(`${labels.join('')}concat=n=${parts.length}:v=1:a=1[v][a]`)
  await runFfmpeg(ffmpeg, {
    ...joining,
    args: [
      OWN_TIMES,
      ...inputs,
      '-filter_complex',
      filters.join(';'),
      ...'-map [v] -map [a]'.split(' '),
      ...ENCODING_ARGS,
      ...MP4_ARGS,
      `file:${target}`,
    ],
  })
  return target
}

/** The largest size and the fastest rate of the parts. Sizes are even, as H.264 requires. */
function formatOf(parts: readonly Part[]): VideoForm<string> {
  const most = (of: (part: Part) => number | undefined, least: number) =>
    Math.max(least, ...parts.map((part) => of(part) ?? 0))
  return {
    widthPx: even(most(({ video }) => video?.widthPx, 2)),
    heightPx: even(most(({ video }) => video?.heightPx, 2)),
    frameRate: most(({ video }) => video?.frameRate, 1).toFixed(3),
  }
}

function even(px: number): number {
  return Math.ceil(px / 2) * 2
}

/** Fills the time between zero and the first packet, as the filters of the picture do. */
const AUDIO_FILTER = `aresample=${SAMPLE_RATE}:async=1:first_pts=0,aformat=channel_layouts=stereo`

function blackFor(
  { durationSec }: Part,
  { widthPx, heightPx, frameRate }: VideoForm<string>,
): string[] {
  const color = `color=black:s=${widthPx}x${heightPx}:r=${frameRate}`
  return ['-f', 'lavfi', '-t', durationSec.toFixed(6), '-i', color]
}

function silenceFor({ durationSec }: Part): string[] {
  const silence = `anullsrc=r=${SAMPLE_RATE}:cl=stereo`
  return ['-f', 'lavfi', '-t', durationSec.toFixed(6), '-i', silence]
}
