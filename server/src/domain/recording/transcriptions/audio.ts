import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { OWN_TIMES, inputArgs } from '../../../platform/media-files/ffmpeg-args.ts'
import { measureVideo } from '../../../platform/media-files/measure-video.ts'
import { runFfmpeg } from '../../../platform/media-files/run-ffmpeg.ts'
import type { ObjectLocation } from '../../../platform/ports/storage.ts'
import type { Silence } from './plan-parts.ts'

type AudioFormat = 'flac' | 'wav'

/** The sound of a file, mono with 16 kHz, aligned with the beginning of its video. */
export interface ExtractedAudio {
  path: string
  durationSec: number
  silences: Silence[]
}

export interface AudioTools {
  ffmpeg: string
  /** The directory for the audio files, which the clean-up also knows. */
  folder: string
  format: AudioFormat
  signal: AbortSignal
  log: Logger
}

/** Sound below this level for longer than this is silence. */
const SILENCE = 'silencedetect=n=-35dB:d=0.4'
const DEADLINE_MIN_MS = 10 * 60_000
/** Largest size of one second of such sound. */
export const BYTES_PER_SEC = 32_000

/** Returns undefined for a file without sound. Throws `MediaFileError`, `StorageError`. */
export async function extractAudio(
  location: ObjectLocation,
  name: string,
  tools: AudioTools,
): Promise<ExtractedAudio | undefined> {
  const { audio } = await measureVideo(location, tools.signal)
  if (audio === undefined || audio.endSec <= 0) return undefined
  const target = path.join(tools.folder, `${name}.${tools.format}`)
  const silenceFile = path.join(tools.folder, `${name}.silences`)
  const print = (key: string) =>
    `ametadata=mode=print:key=lavfi.silence_${key}:file=${name}-${key}.silences`
  // Add silence before a late joiner's first sound, so that times stay those of the file.
  const filter = ['aresample=16000:async=1:first_pts=0', SILENCE, print('start'), print('end')]
  await run(tools, audio.endSec, [
    OWN_TIMES,
    ...inputArgs(location),
    ...`-map 0:a:0 -vn -ac 1 -af ${filter.join(',')} -ar 16000 -sample_fmt s16`.split(' '),
    target,
  ])
  const base = silenceFile.slice(0, -'.silences'.length)
  return { path: target, durationSec: audio.endSec, silences: await readSilences(base) }
}

/** Cuts a range of the sound into a file of its own. */
export async function cutAudio(
  audio: string,
  { name, startSec, endSec }: { name: string; startSec: number; endSec: number },
  tools: AudioTools,
): Promise<string> {
  const target = path.join(tools.folder, `${name}.${tools.format}`)
  const range = ['-ss', String(startSec), '-t', String(endSec - startSec)]
  const input = [...range, '-i', `file:${audio}`]
  await run(tools, endSec - startSec, [...input, '-ac', '1', '-sample_fmt', 's16', target])
  return target
}

function run({ ffmpeg, folder, signal, log }: AudioTools, durationSec: number, args: string[]) {
  const deadlineMs = Math.max(DEADLINE_MIN_MS, durationSec * 1000)
  return runFfmpeg(ffmpeg, { args, folder, deadlineMs, signal, log })
}

async function readSilences(base: string): Promise<Silence[]> {
  const [starts, ends] = await Promise.all(['start', 'end'].map((key) => readTimes(base, key)))
  return (ends ?? []).map((endSec, index) => ({ startSec: starts?.[index] ?? endSec, endSec }))
}

async function readTimes(base: string, key: string): Promise<number[]> {
  const text = await readFile(`${base}-${key}.silences`, 'utf8').catch(() => '')
  return [...text.matchAll(/silence_\w+=(-?[\d.]+)/g)].map(([, time]) => Math.max(0, Number(time)))
}
