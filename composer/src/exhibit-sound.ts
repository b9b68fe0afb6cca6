import type { PlacedExhibit } from './exhibits.ts'
import { CHANNELS, decodeExhibitSound } from './ffmpeg-arguments.ts'
import { ExactReader, FfmpegProcess } from './ffmpeg-process.ts'
import { AUDIO_RATE } from './opus.ts'

const SAMPLE_BYTES = CHANNELS * Float32Array.BYTES_PER_ELEMENT

/** A stretch in which a video plays, in samples of its capture. */
export interface SoundStretch {
  file: string
  start: number
  end: number
  positionSec: number
}

/** When the videos sound. */
export function soundStretches(
  exhibits: readonly PlacedExhibit[],
  frameRate: number,
): SoundStretch[] {
  const sampleOf = (frame: number) => Math.round((frame * AUDIO_RATE) / frameRate)
  return exhibits
    .filter(({ media }) => media.hasSound)
    .flatMap(({ file, steps, toFrame }) =>
      steps.flatMap(({ frame, positionSec, isPlaying }, i): SoundStretch[] => {
        const stretch = { start: sampleOf(frame), end: sampleOf(steps[i + 1]?.frame ?? toFrame) }
        return isPlaying && stretch.start < stretch.end ? [{ file, positionSec, ...stretch }] : []
      }),
    )
}

/** The decoded sound of a stretch, added to the mix piece by piece in ascending order. */
export class ExhibitSound {
  readonly #program: string
  readonly #stretch: SoundStretch
  #open: { process: FfmpegProcess; reader: ExactReader } | undefined
  #isOver = false

  constructor(program: string, stretch: SoundStretch) {
    this.#program = program
    this.#stretch = stretch
  }

  /** Adds what belongs to `[from, from + length)` to the interleaved mix. */
  async addTo(mix: Float32Array, from: number): Promise<void> {
    const { start, end } = this.#stretch
    const first = Math.max(start, from)
    const count = Math.min(end, from + mix.length / CHANNELS) - first
    if (this.#isOver || count <= 0) return
    const bytes = await this.#readerFrom(first).read(count * SAMPLE_BYTES)
    const offset = (first - from) * CHANNELS
    const length = Math.floor((bytes?.length ?? 0) / SAMPLE_BYTES) * CHANNELS
    for (let i = 0; i < length; i++) {
      const sample = bytes?.readFloatLE(i * Float32Array.BYTES_PER_ELEMENT) ?? 0
      mix[offset + i] = (mix[offset + i] ?? 0) + sample
    }
    if (length < count * CHANNELS || first + count === end) this.#end()
  }

  close(): void {
    this.#open?.process.stop()
    this.#open = undefined
  }

  #end(): void {
    this.#isOver = true
    this.close()
  }

  #readerFrom(sample: number): ExactReader {
    if (this.#open === undefined) {
      const { file, start, end } = this.#stretch
      const positionSec = this.#stretch.positionSec + (sample - start) / AUDIO_RATE
      const lengthSec = (end - sample) / AUDIO_RATE
      const process = new FfmpegProcess(
        this.#program,
        decodeExhibitSound(file, { positionSec, lengthSec }),
      )
      this.#open = { process, reader: new ExactReader(process.output) }
    }
    return this.#open.reader
  }
}
