import type { BlurPainter } from './blur-painter.ts'

/** Half a second of frames. */
const FAILURES_MAX = 10

type Out = Pick<TransformStreamDefaultController<VideoFrame>, 'enqueue'>

/** A canvas with a painter, and a way to take the painted frame from it. */
export interface Easel {
  painter: Pick<BlurPainter, 'paint'>
  /** The last painted frame. */
  take(timestampUs: number): VideoFrame
}

/** Replaces each camera frame with a painted one. A frame that cannot be painted is dropped. */
export class BlurTransformer {
  readonly #easel: Easel
  readonly #onFailure: () => void
  #failuresInRow = 0
  #isOver = false

  /** @param onFailure is called when no frame could be painted for a while. */
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
