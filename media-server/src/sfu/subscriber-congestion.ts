import { CongestionVerdict } from './congestion-verdict.ts'
import type { LossReport } from './loss-meter.ts'

/** A video that one subscriber receives. */
export interface AdaptedVideo {
  readonly isScreen: boolean
  readonly isPaused: boolean
  /** Sent since the last call. */
  takeSentBytes(): number
  /** Sends a smaller video, or pauses it if allowed; false when there is nothing smaller. */
  stepDown(canPause: boolean): boolean
  stepUp(): void
}

// A layer below has a quarter of the pixels, or half the rate.
const SAVED_BY_LAYER = 0.7
// Share of the bytes known at one review that counts at the next, so that sizes are those of the last seconds.
const REMEMBERED_SHARE = 0.7

/**
 * Keeps audio alive on a congested subscriber connection: video is reduced, the largest first and a
 * shared screen last, and comes back one step at a time.
 */
export class SubscriberCongestion<Video extends AdaptedVideo> {
  readonly #verdict = new CongestionVerdict()
  /** One entry for each step down, in their order. */
  #steps: Video[] = []
  readonly #recentBytes = new WeakMap<Video, number>()

  /** Some video is smaller than it was asked for, or not sent. */
  get isReduced(): boolean {
    return this.#steps.length > 0
  }

  note(passed: LossReport, nowMs: number): void {
    this.#verdict.note(passed, nowMs)
  }

  /** Call it about every half second. Returns the videos that were paused or resumed. */
  review(videos: readonly Video[], canPause: boolean, nowMs: number): Video[] {
    this.#steps = this.#steps.filter((video) => videos.includes(video))
    for (const video of videos) {
      const recent = (this.#recentBytes.get(video) ?? 0) * REMEMBERED_SHARE
      this.#recentBytes.set(video, recent + video.takeSentBytes())
    }
    const wasPaused = new Set(videos.filter(({ isPaused }) => isPaused))
    const verdict = this.#verdict.judge(nowMs, { isReduced: this.isReduced })
    if (verdict === undefined) return []
    if (verdict === 'more') this.#steps.pop()?.stepUp()
    else this.#sendLess(videos, canPause, verdict.lessBy)
    return videos.filter((video) => video.isPaused !== wasPaused.has(video))
  }

  #sendLess(videos: readonly Video[], canPause: boolean, lessBy: number): void {
    const sizes = videos
      .map((video) => ({ video, bytes: this.#recentBytes.get(video) ?? 0 }))
      .filter(({ video, bytes }) => bytes > 0 && !video.isPaused)
      .toSorted((a, b) => Number(a.video.isScreen) - Number(b.video.isScreen) || b.bytes - a.bytes)
    let tooMuch = sizes.reduce((sum, { bytes }) => sum + bytes, 0) * lessBy
    for (const { video, bytes } of sizes) {
      if (tooMuch <= 0) return
      if (!video.stepDown(canPause)) continue
      this.#steps.push(video)
      tooMuch -= video.isPaused ? bytes : bytes * SAVED_BY_LAYER
    }
  }
}
