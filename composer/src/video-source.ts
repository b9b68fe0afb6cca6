import type { RawFrame } from './canvas.ts'
import { decodeVideo, TICKS_PER_FRAME } from './ffmpeg-arguments.ts'
import { FfmpegProcess } from './ffmpeg-process.ts'
import { FrameReader } from './frame-reader.ts'
import { ivfFrame, ivfHead } from './ivf.ts'
import { fit, type Size } from './layouts.ts'
import type { PlacedUnit, Shot } from './shots.ts'
import { readUnits } from './unit-reader.ts'

export interface VideoSourceOptions {
  program: string
  file: string
  shots: readonly Shot[]
  /** The size that the picture is fitted into. */
  box: Size
  frameRate: number
}

interface OpenShot {
  shot: Shot
  process: FfmpegProcess
  reader: FrameReader
  /** The next frame of the recording to read. */
  next: number
  fed: Promise<void>
}

/** The decoded pictures of one tile, requested frame by frame in ascending order. */
export class VideoSource {
  readonly #options: VideoSourceOptions
  #waiting: Shot[]
  #open: OpenShot | undefined
  #current: RawFrame | undefined

  constructor(options: VideoSourceOptions) {
    this.#options = options
    this.#waiting = [...options.shots]
  }

  /** The picture at a frame; undefined before the first one. The last one stays. */
  async at(frame: number): Promise<RawFrame | undefined> {
    while ((this.#waiting[0]?.fromFrame ?? Infinity) <= frame) {
      this.close()
      this.#start(this.#waiting.shift() as Shot)
    }
    const open = this.#open
    if (open === undefined) return this.#current
    while (open.next <= frame) {
      const video = await open.reader.read()
      if (video === undefined) {
        await this.#finish(open)
        break
      }
      open.next++
      this.#current = video
    }
    return this.#current
  }

  close(): void {
    this.#open?.process.stop()
    this.#open = undefined
  }

  #start(shot: Shot): void {
    const { program, box, frameRate, file } = this.#options
    const size = fit(shot, box)
    const process = new FfmpegProcess(program, decodeVideo(size, frameRate))
    const fed = process.feed(ivf(shot, { file, frameRate }))
    fed.catch(() => {})
    const next = shot.units.at(0)?.frame ?? 0
    this.#open = { shot, process, reader: new FrameReader(process.output, size), next, fed }
  }

  async #finish(open: OpenShot): Promise<void> {
    this.#open = undefined
    await open.fed
    // If decoding breaks off, the last picture stays. If there was none at all, it has failed.
    const hasFrames = open.next > (open.shot.units.at(0)?.frame ?? 0)
    await open.process.ended().catch((error: unknown) => {
      if (!hasFrames) throw error
    })
  }
}

async function* ivf(
  { width, height, units }: Shot,
  { file, frameRate }: { file: string; frameRate: number },
): AsyncGenerator<Buffer> {
  yield ivfHead({ width, height, ticksPerSec: frameRate * TICKS_PER_FRAME })
  const first = units.at(0)?.frame ?? 0
  // Rising timestamps that round to the frame at which each unit appears.
  let tick = -1
  for await (const { unit, data } of readUnits(file, places(units))) {
    tick = Math.max((unit.frame - first) * TICKS_PER_FRAME, tick + 1)
    yield ivfFrame(data, tick)
  }
}

function* places(
  units: Iterable<PlacedUnit>,
): Generator<{ offset: number; size: number; frame: number }> {
  for (const { unit, frame } of units) yield { offset: unit.offset, size: unit.size, frame }
}
