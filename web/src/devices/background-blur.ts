import type { BlurredVideo, OpenBlurredVideo } from './blurred-video.ts'
import type { FilterSource, TrackFilter } from './track-filter.ts'

/** The model and the WebAssembly take 10 MB. A longer start counts as failed. */
const START_MAX_MS = 60_000

/** The background cannot be blurred, so the camera must not be shown. */
export class BlurFailure extends Error {
  override readonly name = 'BlurFailure'
}

const openInBrowser: OpenBlurredVideo = async (source, onFailure) => {
  const { drawBlurred } = await import('./draw-blurred.ts')
  return drawBlurred(source, onFailure)
}

/** Blurs the background of a camera's track. If it fails there is no picture instead of a sharp one. */
export class BackgroundBlur implements TrackFilter {
  readonly name = 'background-blur'
  /** Kept after the end. Without a processed track, the client library would send the original camera. */
  processedTrack?: MediaStreamTrack
  readonly #onFailure: () => void
  readonly #open: OpenBlurredVideo
  #video: BlurredVideo | undefined
  /** Grows with each start and end, so that a video that arrives too late is closed. */
  #turn = 0

  /** @param onFailure is called when a running blur has failed, or could not be started again. */
  constructor(onFailure: () => void, open: OpenBlurredVideo = openInBrowser) {
    this.#onFailure = onFailure
    this.#open = open
  }

  /** Throws BlurFailure. */
  init = async ({ track }: FilterSource): Promise<void> => {
    const ending = this.destroy()
    const turn = this.#turn
    await ending
    const opening = this.#open(track, () => {
      if (turn === this.#turn && this.#video !== undefined) this.#fail()
    })
    try {
      const video = await withinTime(opening)
      if (turn !== this.#turn) throw new Error('ended while it started')
      this.#video = video
      this.processedTrack = video.track
    } catch (cause) {
      void opening.then(close, () => {})
      throw new BlurFailure('the background cannot be blurred', { cause })
    }
  }

  /** The source is another camera, or the same camera turned on again. */
  restart = async ({ track }: FilterSource): Promise<void> => {
    const starting = this.init({ track })
    const turn = this.#turn
    try {
      await starting
    } catch (error) {
      if (turn === this.#turn) this.#onFailure()
      throw error
    }
  }

  /** Also called while the camera is off. Nothing is computed and no memory held then. */
  destroy = async (): Promise<void> => {
    this.#turn += 1
    const video = this.#video
    this.#video = undefined
    if (video !== undefined) await close(video)
  }

  #fail(): void {
    void this.destroy()
    this.#onFailure()
  }
}

async function close(video: BlurredVideo): Promise<void> {
  video.track.stop()
  await video.close()
}

async function withinTime(opening: Promise<BlurredVideo>): Promise<BlurredVideo> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), START_MAX_MS)
  })
  try {
    return await Promise.race([opening, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
