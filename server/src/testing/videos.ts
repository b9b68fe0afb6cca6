import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findFfmpeg } from '../platform/media-files/find-ffmpeg.ts'

const run = promisify(execFile)
const BITS = 16
const OUTPUT_MAX = 256 * 1024 * 1024
const SAMPLE_RATE = 48_000

export interface VideoWanted {
  /** Whole frames. */
  durationSec: number
  frameRate?: number
  size?: string
  hasAudio?: boolean
  /** As long as the picture unless said otherwise. */
  audioSec?: number
  channels?: 1 | 2
  hasVideo?: boolean
  /** Pictures from one that needs no other to the next. */
  gop?: number
  /** When video and audio begin; zero when not given. */
  startSec?: number
}

/**
 * Makes an MP4 whose frames hold their own number, and whose audio has a click at each whole
 * second: its content shows what becomes of it.
 */
export async function makeVideo(file: string, wanted: VideoWanted): Promise<void> {
  const { durationSec, frameRate = 15, size = '320x240', gop = 150, startSec = 0 } = wanted
  const { hasAudio = true, hasVideo = true, audioSec = durationSec, channels = 1 } = wanted
  const number = `if(mod(floor(N/pow(2,X)),2),235,16)`
  const video =
    `nullsrc=s=${BITS}x2:r=${frameRate}:d=${durationSec},geq=lum='${number}':cb=128:cr=128,` +
    `scale=${size.replace('x', ':')}:flags=neighbor,setsar=1`
  const audio = `aevalsrc='if(lt(mod(t,1),0.02),sin(2*PI*1000*t),0)':s=${SAMPLE_RATE}:d=${audioSec}`
  await ffmpeg([
    ...(hasVideo ? ['-f', 'lavfi', '-i', video] : []),
    ...(hasAudio ? ['-f', 'lavfi', '-i', audio] : []),
    ...`-c:v libx264 -preset veryfast -pix_fmt yuv420p -g ${gop} -keyint_min ${gop}`.split(' '),
    ...`-ac ${channels}`.split(' '),
    ...`-output_ts_offset ${startSec}`.split(' '),
    ...'-sc_threshold 0 -c:a aac -b:a 96k -movflags +faststart -f mp4'.split(' '),
    file,
  ])
}

/** The number in each picture, in the order in which they are shown. */
export async function frameNumbersOf(file: string): Promise<number[]> {
  const filter = ['-vf', `scale=${BITS}:2:flags=area,format=gray`, '-vsync', '0']
  const pixels = await ffmpeg(['-i', file, ...filter, '-f', 'rawvideo', '-'])
  return Array.from({ length: pixels.length / (BITS * 2) }, (_, frame) => {
    const row = pixels.subarray(frame * BITS * 2, frame * BITS * 2 + BITS)
    return row.reduce((number, light, bit) => number + (light > 128 ? 2 ** bit : 0), 0)
  })
}

/** The beginning of each click, in seconds of the file, by its timestamps or by counting decoded samples. */
export async function clicksOf(file: string, { isCounted = false } = {}): Promise<number[]> {
  const byTime = `aresample=${SAMPLE_RATE}:async=1:first_pts=0`
  const filter = isCounted ? `asetpts=N/SR/TB,aresample=${SAMPLE_RATE}` : byTime
  const bytes = await ffmpeg(['-i', file, '-af', filter, '-ac', '1', '-f', 'f32le', '-'])
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  const clicks: number[] = []
  for (const [index, sample] of samples.entries()) {
    const atSec = index / SAMPLE_RATE
    const isNew = clicks.length === 0 || atSec - (clicks.at(-1) ?? 0) > 0.1
    if (Math.abs(sample) > 0.3 && isNew) clicks.push(atSec)
  }
  return clicks
}

async function ffmpeg(args: readonly string[]): Promise<Buffer> {
  const quiet = '-hide_banner -nostdin -loglevel error -y'.split(' ')
  const options = { encoding: 'buffer', maxBuffer: OUTPUT_MAX } as const
  const { stdout } = await run(await findFfmpeg(undefined), [...quiet, ...args], options)
  return stdout
}
