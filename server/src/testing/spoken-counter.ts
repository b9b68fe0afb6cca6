import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Word } from '../domain/recording/transcriptions/engines/word.ts'

/** Sample rate of the spoken and of the heard sound. */
export const COUNTER_RATE = 16_000
const DIGITS = 4
const TONE = 0.08 * COUNTER_RATE
/** A digit with the pause after it. */
const DIGIT = 0.1 * COUNTER_RATE
const VOLUME = 12_000
/** The frequencies of the ten digits. No overtone of one is another one. */
const hertzOf = (digit: number) => 700 + 170 * digit

/** The numbers from 0, at most 10,000, as tones: a counter that a program understands without errors. */
export function counterWords(count: number): string[] {
  if (count > 10 ** DIGITS) throw new RangeError('the counter has no more numbers')
  return Array.from({ length: count }, (_, number) => wordOf(number))
}

const wordOf = (number: number) => String(number).padStart(DIGITS, '0')

/** Most pauses are too short for a cut. Every tenth is long enough, and now and then somebody talks without any. */
function pauseSec(number: number): number {
  if (number % 600 >= 300 && number % 600 < 450) return 0.14
  return number % 10 === 9 ? 0.7 : 0.34
}

/** Makes an MP4 that speaks the numbers below `count`, four in three seconds. */
export async function makeCounterVideo(
  ffmpeg: string,
  { file, count }: { file: string; count: number },
): Promise<void> {
  const args =
    `-hide_banner -loglevel error -y -f s16le -ar ${COUNTER_RATE} -ac 1 -i pipe:0 ` +
    '-f lavfi -i color=gray:s=64x48:r=1 -map 1:v -map 0:a -shortest ' +
    '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -b:a 64k -movflags +faststart'
  const program = spawn(ffmpeg, [...args.split(' '), file], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const closed = once(program, 'close') as Promise<[number | null]>
  await pipeline(Readable.from(speak(count)), program.stdin)
  const [code] = await closed
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
}

function* speak(count: number): Generator<Buffer> {
  for (const [number, word] of counterWords(count).entries()) {
    yield tonesOf(word)
    yield Buffer.alloc(2 * Math.round(pauseSec(number) * COUNTER_RATE))
  }
}

/** One number as samples of 16 bits. */
export function tonesOf(word: string): Buffer {
  const samples = new Int16Array(DIGITS * DIGIT)
  for (const [place, digit] of word.split('').entries()) {
    const from = place * DIGIT
    for (let at = 0; at < TONE; at += 1) {
      samples[from + at] =
        VOLUME * Math.sin((2 * Math.PI * hertzOf(Number(digit)) * at) / COUNTER_RATE)
    }
  }
  return Buffer.from(samples.buffer)
}

const FRAME = COUNTER_RATE / 100
/** In frames: longer than between two digits, shorter than between two numbers. */
const GAP_FRAMES = 8
const LOUD = VOLUME / 8

/** Recognises the numbers as an engine would. The rest of a number that was cut becomes another number. */
export function hearCounter(samples: Int16Array): Word[] {
  const words: Word[] = []
  let first: number | undefined
  let last = 0
  const frames = Math.floor(samples.length / FRAME)
  for (let frame = 0; frame <= frames; frame += 1) {
    const isLoud = frame < frames && isLoudAt(samples, frame)
    if (isLoud) {
      first ??= frame
      last = frame
    } else if (first !== undefined && (frame - last > GAP_FRAMES || frame === frames)) {
      words.push(hearWord(samples, first, last + 1))
      first = undefined
    }
  }
  return words
}

function isLoudAt(samples: Int16Array, frame: number): boolean {
  let sum = 0
  for (let at = frame * FRAME; at < (frame + 1) * FRAME; at += 1) sum += (samples[at] ?? 0) ** 2
  return Math.sqrt(sum / FRAME) > LOUD
}

function hearWord(samples: Int16Array, first: number, end: number): Word {
  const [from, to] = [first * FRAME, end * FRAME]
  const digits = Math.max(1, Math.round((to - from + DIGIT - TONE) / DIGIT))
  const heard = Array.from({ length: digits }, (_, place) => {
    const middle = from + place * DIGIT + TONE / 2
    return hearDigit(samples.subarray(middle - TONE / 4, middle + TONE / 4))
  })
  const times = { startSec: from / COUNTER_RATE, endSec: to / COUNTER_RATE }
  return { text: ` ${heard.join('')}`, ...times, speaker: null }
}

function hearDigit(samples: Int16Array): number {
  const powers = Array.from({ length: 10 }, (_, digit) => powerAt(hertzOf(digit), samples))
  return powers.indexOf(Math.max(...powers))
}

/** The Goertzel algorithm. */
function powerAt(hertz: number, samples: Int16Array): number {
  const factor = 2 * Math.cos((2 * Math.PI * hertz) / COUNTER_RATE)
  let [last, before] = [0, 0]
  for (const sample of samples) [last, before] = [sample + factor * last - before, last]
  return last * last + before * before - factor * last * before
}
