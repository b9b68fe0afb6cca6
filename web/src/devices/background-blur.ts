import type { BlurredVideo, OpenBlurredVideo } from './blurred-video.ts'
import type { FilterSource, TrackFilter } from './track-filter.ts'

/** The model and the WebAssembly are 10 MB: what takes longer than this will not come. */
const START_MAX_MS = 60_000

/** The background cannot be blurred, so the camera's picture may not be shown. */
export class BlurFailure extends Error {
  override readonly name = 'BlurFailure'
}

const openInBrowser: OpenBlurredVideo = async (source, onFailure) => {
  const { drawBlurred } = await import('./draw-blurred.ts')
  return drawBlurred(source, onFailure)
}

/** Blurs the background of a camera's track. Where it fails, there is no picture rather than a sharp one. */
export class BackgroundBlur implements TrackFilter {
  readonly name = 'background-blur'
  /** Stays when it has ended: in place of none, the client library would send the camera as it is. */
  processedTrack?: MediaStreamTrack
  readonly #onFailure: () => void
  readonly #open: OpenBlurredVideo
  #video: BlurredVideo | undefined
  /** Grows with each start and end, so that a video that comes too late is closed. */
  #turn = 0

  /** @param onFailure is called when a blur that had started has failed, or could not be started again. */
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

  /** Another camera, or the same one turned on again. */
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

  /** Also while the camera is off: nothing is computed and no memory held. */
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
