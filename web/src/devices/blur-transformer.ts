import type { BlurPainter } from './blur-painter.ts'

/** Half a second of pictures. */
const FAILURES_MAX = 10

type Out = Pick<TransformStreamDefaultController<VideoFrame>, 'enqueue'>

/** Where a picture can be painted, and taken from. */
export interface Easel {
  painter: Pick<BlurPainter, 'paint'>
  /** The picture that was painted last. */
  take(timestampUs: number): VideoFrame
}

/** Puts a painted picture in the place of each of the camera. One that cannot be painted is left out. */
export class BlurTransformer {
  readonly #easel: Easel
  readonly #onFailure: () => void
  #failuresInRow = 0
  #isOver = false

  /** @param onFailure is called when none could be painted for a while. */
  constructor(easel: Easel, onFailure: () => void) {
    this.#easel = easel
    this.#onFailure = onFailure
  }

  transform(frame: VideoFrame, out: Out): void {
    const isEmpty = frame.displayWidth === 0 || frame.displayHeight === 0
    try {
      if (this.#isOver || isEmpty) return
      this.#easel.painter.paint(frame)
      out.enqueue(this.#easel.take(frame.timestamp))
      this.#failuresInRow = 0
    } catch {
      this.#failuresInRow += 1
      if (this.#failuresInRow === FAILURES_MAX) this.#onFailure()
    } finally {
      frame.close()
    }
  }

  end(): void {
    this.#isOver = true
  }
}
