import { CHANNELS, decodeAudio } from './ffmpeg-arguments.ts'
import { ExactReader, FfmpegProcess } from './ffmpeg-process.ts'
import { oggOpus } from './ogg-opus.ts'
import type { PlacedAudio } from './place-audio.ts'
import type { AudioUnit } from './track-media.ts'
import { readUnits } from './unit-reader.ts'

const FRAME_BYTES = CHANNELS * Int16Array.BYTES_PER_ELEMENT
const FULL_SCALE = 2 ** 15

interface Decoder {
  process: FfmpegProcess
  reader: ExactReader
  fed: Promise<void>
}

/**
 * The decoded sound of one track, added to the mix piece by piece in ascending order. It is decoded from its first
 * packet to its last one: somebody who comes and goes many times has many tracks.
 */
export class AudioSource {
  readonly #program: string
  readonly #file: string
  readonly #place: () => Iterable<PlacedAudio>
  readonly #upcoming: Iterator<PlacedAudio>
  #open: Decoder | undefined
  #next: PlacedAudio | undefined
  #rest: { start: number; samples: Float32Array } | undefined

  /** `place` gives the same packets each time: once to be decoded, once for where their sound belongs. */
  constructor(program: string, file: string, place: () => Iterable<PlacedAudio>) {
    this.#program = program
    this.#file = file
    this.#place = place
    this.#upcoming = place()[Symbol.iterator]()
    this.#advance()
  }

  /** Adds what belongs to `[from, from + length)` to the interleaved mix. */
  async addTo(mix: Float32Array, from: number): Promise<void> {
    const to = from + mix.length / CHANNELS
    for (;;) {
      this.#rest ??= await this.#decodeNext(to)
      if (this.#rest === undefined || this.#rest.start >= to) return
      this.#rest = addPart(mix, from, this.#rest)
    }
  }

  close(): void {
    this.#open?.process.stop()
    this.#open = undefined
  }

  async #decodeNext(to: number): Promise<{ start: number; samples: Float32Array } | undefined> {
    const placed = this.#next
    if (placed === undefined || placed.start >= to) return undefined
    this.#advance()
    const { process, reader, fed } = (this.#open ??= this.#start())
    const bytes = await reader.read(placed.unit.samples * FRAME_BYTES)
    if (bytes === undefined) {
      await fed
      await process.ended()
      this.#next = undefined
    }
    if (this.#next === undefined) this.close()
    if (bytes === undefined) return undefined
    return { start: placed.start, samples: stretched(toFloats(bytes), placed.length) }
  }

  #advance(): void {
    const { done, value } = this.#upcoming.next()
    this.#next = done === true ? undefined : value
  }

  #start(): Decoder {
    const process = new FfmpegProcess(this.#program, decodeAudio())
    const fed = process.feed(oggOpus(packetsOf(this.#file, this.#place())))
    fed.catch(() => {})
    return { process, reader: new ExactReader(process.output), fed }
  }
}

async function* packetsOf(
  file: string,
  placed: Iterable<PlacedAudio>,
): AsyncGenerator<{ data: Buffer; samples: number }> {
  for await (const { unit, data } of readUnits(file, unitsOf(placed))) {
    yield { data, samples: unit.samples }
  }
}

function* unitsOf(placed: Iterable<PlacedAudio>): Generator<AudioUnit> {
  for (const { unit } of placed) yield unit
}

/** Adds the part that is inside the mix; the rest remains. */
function addPart(
  mix: Float32Array,
  from: number,
  { start, samples }: { start: number; samples: Float32Array },
): { start: number; samples: Float32Array } | undefined {
  const offset = (start - from) * CHANNELS
  const skipped = Math.max(0, -offset)
  const count = Math.min(samples.length, mix.length - offset)
  for (let i = skipped; i < count; i++) {
    mix[offset + i] = (mix[offset + i] ?? 0) + (samples[i] ?? 0)
  }
  if (count >= samples.length) return undefined
  const taken = Math.max(skipped, count)
  return { start: start + taken / CHANNELS, samples: samples.subarray(taken) }
}

function toFloats(bytes: Buffer): Float32Array {
  const count = Math.floor(bytes.length / FRAME_BYTES) * CHANNELS
  const { buffer, byteOffset } = bytes
  // A copy where they begin at an odd byte.
  const samples =
    byteOffset % Int16Array.BYTES_PER_ELEMENT === 0
      ? new Int16Array(buffer, byteOffset, count)
      : new Int16Array(new Uint8Array(bytes).buffer, 0, count)
  const floats = new Float32Array(count)
  for (let i = 0; i < samples.length; i++) floats[i] = (samples[i] ?? 0) / FULL_SCALE
  return floats
}

/** The same sound in a few samples more or less. */
function stretched(samples: Float32Array, length: number): Float32Array {
  const have = samples.length / CHANNELS
  if (have === length || have < 2) return samples
  const out = new Float32Array(length * CHANNELS)
  const step = (have - 1) / (length - 1)
  for (let i = 0; i < length; i++) {
    const at = Math.min(have - 2, Math.floor(i * step))
    const share = i * step - at
    for (let channel = 0; channel < CHANNELS; channel++) {
      const left = samples[at * CHANNELS + channel] ?? 0
      const right = samples[(at + 1) * CHANNELS + channel] ?? 0
      out[i * CHANNELS + channel] = left + (right - left) * share
    }
  }
  return out
}
