import type { RawFrame } from './canvas.ts'
import type { PlacedExhibit, PlaybackStep } from './exhibits.ts'
import {
  decodeExhibit,
  decodeExhibitEnd,
  decodeExhibitPicture,
  drawImage,
} from './ffmpeg-arguments.ts'
import { FfmpegProcess } from './ffmpeg-process.ts'
import { FrameReader } from './frame-reader.ts'
import { fit, type Size } from './layouts.ts'

export interface ExhibitSourceOptions {
  program: string
  exhibit: PlacedExhibit
  /** The size that the picture is fitted into. */
  box: Size
  frameRate: number
}

interface OpenStretch {
  process: FfmpegProcess
  reader: FrameReader
  /** The next frame of the recording to read. */
  next: number
}

/** The pictures of an exhibit, requested frame by frame in ascending order. */
export class ExhibitSource {
  readonly #options: ExhibitSourceOptions
  readonly #size: Size
  #step: PlaybackStep | undefined
  #isDrawn = false
  #hasPlayed = false
  #open: OpenStretch | undefined
  #current: RawFrame | undefined

  constructor(options: ExhibitSourceOptions) {
    this.#options = options
    this.#size = fit(options.exhibit.media, options.box)
  }

  /** The picture at a frame; undefined if nothing can be decoded. The last one stays. */
  async at(frame: number): Promise<RawFrame | undefined> {
    if (this.#options.exhibit.kind === 'image') return this.#image()
    const step = this.#options.exhibit.steps.findLast((each) => each.frame <= frame)
    if (step !== undefined && step !== this.#step) await this.#begin(step, frame)
    while (this.#open !== undefined && this.#open.next <= frame) await this.#readNext(this.#open)
    return this.#current
  }

  close(): void {
    this.#open?.process.stop()
    this.#open = undefined
  }

  async #image(): Promise<RawFrame | undefined> {
    if (this.#isDrawn) return this.#current
    this.#isDrawn = true
    this.#current = await this.#decode(drawImage(this.#options.exhibit.file, this.#size))
    return this.#current
  }

  async #begin(step: PlaybackStep, frame: number): Promise<void> {
    this.close()
    this.#step = step
    this.#hasPlayed = false
    const { frameRate, program, exhibit } = this.#options
    const playedSec = step.isPlaying ? (frame - step.frame) / frameRate : 0
    const position = { atSec: step.positionSec + playedSec, frameRate }
    if (step.isPlaying) {
      const args = decodeExhibit(exhibit.file, position, this.#size)
      const process = new FfmpegProcess(program, args)
      this.#open = { process, reader: new FrameReader(process.output, this.#size), next: frame }
    } else {
      const found = await this.#decode(decodeExhibitPicture(exhibit.file, position, this.#size))
      this.#current = found ?? (await this.#decodeEnd())
    }
  }

  async #readNext(open: OpenStretch): Promise<void> {
    const video = await open.reader.read()
    if (video !== undefined) {
      open.next++
      this.#hasPlayed = true
      this.#current = video
      return
    }
    this.close()
    // The video ended meanwhile, or the position was after its end from the beginning.
    if (!this.#hasPlayed) this.#current = await this.#decodeEnd()
  }

  async #decodeEnd(): Promise<RawFrame | undefined> {
    return this.#decode(decodeExhibitEnd(this.#options.exhibit.file, this.#size))
  }

  /** The last picture that can be decoded. */
  async #decode(args: readonly string[]): Promise<RawFrame | undefined> {
    const process = new FfmpegProcess(this.#options.program, args)
    const reader = new FrameReader(process.output, this.#size)
    let last: RawFrame | undefined
    for (;;) {
      const video = await reader.read()
      if (video === undefined) return last
      last = video
    }
  }
}
