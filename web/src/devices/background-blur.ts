import type { Track, TrackProcessor, VideoProcessorOptions } from 'livekit-client'
import type { Draw, Drawing } from './drawing.ts'

/** The model and the WebAssembly are 10 MB: what takes longer than this will not come. */
const START_MAX_MS = 60_000

/** The background cannot be blurred, so the camera's picture may not be shown. */
export class BlurFailure extends Error {
  override readonly name = 'BlurFailure'
}

const drawInBrowser: Draw = async (source, onFailure) => {
  const { drawBlurred } = await import('./draw-blurred.ts')
  return drawBlurred(source, onFailure)
}

/** Blurs the background of a camera's track. Where it fails, there is no picture rather than a sharp one. */
export class BackgroundBlur implements TrackProcessor<Track.Kind.Video, VideoProcessorOptions> {
  readonly name = 'background-blur'
  /** Stays when it has ended: in place of none, the client library would send the camera as it is. */
  processedTrack?: MediaStreamTrack
  readonly #onFailure: () => void
  readonly #draw: Draw
  #drawing: Drawing | undefined
  /** Grows with each start and end, so that a drawing that comes too late is closed. */
  #turn = 0

  /** @param onFailure is called when a blur that had started has failed, or could not be started again. */
  constructor(onFailure: () => void, draw: Draw = drawInBrowser) {
    this.#onFailure = onFailure
    this.#draw = draw
  }

  /** Throws BlurFailure. */
  init = async ({ track }: Pick<VideoProcessorOptions, 'track'>): Promise<void> => {
    await this.destroy()
    const turn = this.#turn
    const opening = this.#draw(track, () => {
      if (turn === this.#turn) this.#fail()
    })
    try {
      const drawing = await withinTime(opening)
      if (turn !== this.#turn) throw new Error('ended while it started')
      this.#drawing = drawing
      this.processedTrack = drawing.track
    } catch (cause) {
      void opening.then(close, () => {})
      throw new BlurFailure('the background cannot be blurred', { cause })
    }
  }

  /** Another camera, or the same one turned on again. */
  restart = async ({ track }: Pick<VideoProcessorOptions, 'track'>): Promise<void> => {
    try {
      await this.init({ track })
    } catch (error) {
      this.#onFailure()
      throw error
    }
  }

  /** Also while the camera is off: nothing is computed and no memory held. */
  destroy = async (): Promise<void> => {
    this.#turn += 1
    const drawing = this.#drawing
    this.#drawing = undefined
    if (drawing !== undefined) await close(drawing)
  }

  #fail(): void {
    void this.destroy()
    this.#onFailure()
  }
}

async function close(drawing: Drawing): Promise<void> {
  drawing.track.stop()
  await drawing.close()
}

async function withinTime(opening: Promise<Drawing>): Promise<Drawing> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('took too long')), START_MAX_MS)
  try {
    return await Promise.race([opening, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
