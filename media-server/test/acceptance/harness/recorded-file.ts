import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findFfmpeg } from '@interview-room/composer/find-ffmpeg.ts'

const run = promisify(execFile)

const OUTPUT_BYTES_MAX = 512 * 1024 * 1024
const AUDIO_RATE = 48_000
// Enough to distinguish tiles, and little to read.
const GRID = { width: 64, height: 48 }

/** A recording, decoded. */
export interface DecodedRecording {
  frames: Buffer[]
  frameRate: number
  sound: Float32Array
  /** ffmpeg's report of the streams. */
  description: string
}

export async function readRecorded(file: string, frameRate: number): Promise<DecodedRecording> {
  const filters = `scale=${GRID.width}:${GRID.height}:flags=area`
  const pictures = ['-i', file, '-vf', filters, '-pix_fmt', 'rgb24', '-f', 'rawvideo', 'pipe:1']
  const bytes = await ffmpeg(pictures)
  const frameBytes = GRID.width * GRID.height * 3
  const frames = Array.from({ length: bytes.length / frameBytes }, (_, i) =>
    bytes.subarray(i * frameBytes, (i + 1) * frameBytes),
  )
  const raw = ['-f', 'f32le', '-ac', '1', '-ar', String(AUDIO_RATE), 'pipe:1']
  const samples = await ffmpeg(['-i', file, ...raw])
  const sound = new Float32Array(new Uint8Array(samples).buffer)
  return { frames, frameRate, sound, description: await describeFile(file) }
}

export function durationsOf({ frames, frameRate, sound }: DecodedRecording) {
  return { videoSec: frames.length / frameRate, audioSec: sound.length / AUDIO_RATE }
}

/** The colour at a place of the picture, both 0…1, at a time. */
export function colourAt(
  { frames, frameRate }: DecodedRecording,
  atSec: number,
  { x, y }: { x: number; y: number },
): [red: number, green: number, blue: number] {
  const frame = frames[Math.floor(atSec * frameRate)]
  if (frame === undefined) throw new Error(`there is no picture at ${atSec} s`)
  const column = Math.floor(x * GRID.width)
  const offset = (Math.floor(y * GRID.height) * GRID.width + column) * 3
  return [frame[offset] ?? 0, frame[offset + 1] ?? 0, frame[offset + 2] ?? 0]
}

/** How loud one tone is in a stretch: 1 is the loudest there can be. */
export function toneAt(
  { sound }: DecodedRecording,
  atSec: number,
  { hz, sec }: { hz: number; sec: number },
): number {
  const from = Math.round(atSec * AUDIO_RATE)
  const count = Math.round(sec * AUDIO_RATE)
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / AUDIO_RATE)
  let [one, two] = [0, 0]
  for (let i = 0; i < count; i++) {
    const next = (sound[from + i] ?? 0) + coefficient * one - two
    two = one
    one = next
  }
  const power = one * one + two * two - coefficient * one * two
  return (2 * Math.sqrt(Math.max(0, power))) / count
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

const WINDOW_SEC = 0.25

/** How loud a tone is in the median of windows: a gap in the sound takes nothing from the windows beside it. */
export function medianToneAt(
  recorded: DecodedRecording,
  atSec: number,
  { hz, sec }: { hz: number; sec: number },
): number {
  const windows = Array.from({ length: Math.round(sec / WINDOW_SEC) }, (_, i) =>
    toneAt(recorded, atSec + i * WINDOW_SEC, { hz, sec: WINDOW_SEC }),
  )
  return median(windows)
}

const STEP_SEC = 0.005

/** How much later than the picture the sound is at each flash, in ms. */
export function audioDelays(
  recorded: DecodedRecording,
  { hz, place }: { hz: number; place: { x: number; y: number } },
): number[] {
  const { videoSec } = durationsOf(recorded)
  const isLit = (sec: number) => colourAt(recorded, sec, place)[1] > 128
  const isHeard = (sec: number) => toneAt(recorded, sec, { hz, sec: 0.01 }) > 0.1
  const flashes = onsets(videoSec - STEP_SEC, isLit)
  const beeps = onsets(videoSec - 0.1, isHeard)
  return flashes.flatMap((flash) => {
    const delays = beeps.map((beep) => (beep - flash) * 1000)
    const nearest = delays.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0]
    return nearest === undefined || Math.abs(nearest) > 400 ? [] : [nearest]
  })
}

function onsets(untilSec: number, holds: (sec: number) => boolean): number[] {
  const found: number[] = []
  let did = true
  for (let sec = 0; sec < untilSec; sec += STEP_SEC) {
    const does = holds(sec)
    if (does && !did) found.push(sec)
    did = does
  }
  return found
}

async function ffmpeg(args: string[]): Promise<Buffer> {
  const { stdout } = await run(program(), ['-v', 'error', ...args], {
    encoding: 'buffer',
    maxBuffer: OUTPUT_BYTES_MAX,
  })
  return stdout
}

async function describeFile(file: string): Promise<string> {
  const { stderr } = await run(program(), ['-hide_banner', '-i', file, '-f', 'null', '-'])
  return stderr
}

function program(): string {
  return findFfmpeg(process.env) ?? 'ffmpeg'
}
