import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import { OWN_TIMES, inputArgs } from '../../../platform/media-files/ffmpeg-args.ts'
import { measureVideo } from '../../../platform/media-files/measure-video.ts'
import { runFfmpeg } from '../../../platform/media-files/run-ffmpeg.ts'
import type { ObjectLocation } from '../../../platform/ports/storage.ts'
import type { Silence } from './plan-parts.ts'

type AudioFormat = 'flac' | 'wav'

/** The sound of a file: raw samples of 16 bits, mono with 16 kHz, aligned with the beginning of its video. */
export interface ExtractedAudio {
  path: string
  durationSec: number
  silences: Silence[]
}

/** A range of a file, in seconds. */
interface Range {
  fromSec: number
  toSec: number
}

export interface AudioTools {
  ffmpeg: string
  /** The directory for the audio files, which the clean-up also knows. */
  folder: string
  format: AudioFormat
  signal: AbortSignal
  log: Logger
}

/** Sound whose peaks are below this level for longer than this is silence. A quiet voice is louder. */
const SILENCE = 'silencedetect=n=-40dB:d=0.4'
const DEADLINE_MIN_MS = 10 * 60_000
const RATE = 16_000
const SAMPLE_BYTES = 2
/** Size of one second of such sound. FLAC is smaller. */
export const BYTES_PER_SEC = RATE * SAMPLE_BYTES
const RAW = `-f s16le -ar ${RATE} -ac 1`.split(' ')

/** Returns undefined for a file without sound. Throws `MediaFileError`, `StorageError`. */
export async function extractAudio(
  location: ObjectLocation,
  name: string,
  tools: AudioTools,
): Promise<ExtractedAudio | undefined> {
  const { audio } = await measureVideo(location, tools.signal)
  if (audio === undefined || audio.endSec <= 0) return undefined
  const target = path.join(tools.folder, `${name}.pcm`)
  const print = (key: string) =>
    `ametadata=mode=print:key=lavfi.silence_${key}:file=${name}-${key}.silences`
  // Add silence before a late joiner's first sound, so that times stay those of the file.
  const filter = ['aresample=16000:async=1:first_pts=0', SILENCE, print('start'), print('end')]
  await run(tools, audio.endSec, [
    OWN_TIMES,
    ...inputArgs(location),
    ...`-map 0:a:0 -vn -af ${filter.join(',')}`.split(' '),
    ...RAW,
    target,
  ])
  const silences = await readSilences(path.join(tools.folder, name), audio.endSec)
  return { path: target, durationSec: audio.endSec, silences }
}

/** Writes ranges of the sound, one after another, into a file of their own. */
export async function cutAudio(
  audio: string,
  { name, ranges }: { name: string; ranges: readonly Range[] },
  tools: AudioTools,
): Promise<string> {
  const raw = path.join(tools.folder, `${name}.pcm`)
  async function* samples() {
    for (const { fromSec, toSec } of ranges) {
      const [start, end] = [byteOf(fromSec), byteOf(toSec)]
      if (end > start) yield* createReadStream(audio, { start, end: end - 1 })
    }
  }
  await pipeline(samples, createWriteStream(raw), { signal: tools.signal })
  const target = path.join(tools.folder, `${name}.${tools.format}`)
  const durationSec = ranges.reduce((sum, { fromSec, toSec }) => sum + toSec - fromSec, 0)
  await run(tools, durationSec, [...RAW, '-i', `file:${raw}`, '-sample_fmt', 's16', target])
  await rm(raw)
  return target
}

const byteOf = (sec: number) => SAMPLE_BYTES * Math.round(sec * RATE)

function run({ ffmpeg, folder, signal, log }: AudioTools, durationSec: number, args: string[]) {
  const deadlineMs = Math.max(DEADLINE_MIN_MS, durationSec * 1000)
  return runFfmpeg(ffmpeg, { args, folder, deadlineMs, signal, log })
}

/** The end of a silence that lasts until the end of the sound is not noted. */
async function readSilences(base: string, durationSec: number): Promise<Silence[]> {
  const [starts, ends] = await Promise.all([readTimes(base, 'start'), readTimes(base, 'end')])
  return starts.map((startSec, index) => ({ startSec, endSec: ends[index] ?? durationSec }))
}

async function readTimes(base: string, key: string): Promise<number[]> {
  const text = await readFile(`${base}-${key}.silences`, 'utf8').catch(() => '')
  return [...text.matchAll(/silence_\w+=(-?[\d.]+)/g)].map(([, time]) => Math.max(0, Number(time)))
}
