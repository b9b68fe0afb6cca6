// Every subscriber may ask for key frames; the publisher is asked this often at most.
const INTERVAL_MS = 300
const UNPROMPTED_MEAN_MS = 20_000

/**
 * When a publisher is asked for key frames of one video. It counts these (`pliCount`), and must not learn
 * from them that a hidden subscriber has come. So it is asked unprompted, too, at random times; what a
 * hidden subscriber needs is asked for immediately, in place of the next unprompted one. In the long run
 * the number is the same with hidden subscribers and without, and no single one reveals anything.
 */
export class KeyFrameRequests {
  readonly #random: () => number
  #askedAtMs = Number.NEGATIVE_INFINITY
  #unpromptedAtMs: number | undefined
  #toLeaveOut = 0

  /** @param random 0…1, the 1 excluded. */
  constructor(random: () => number = Math.random) {
    this.#random = random
  }

  /** A subscriber needs a key frame; true when it is to be asked for now. */
  isNeeded(nowMs: number, isHidden: boolean): boolean {
    if (nowMs - this.#askedAtMs < INTERVAL_MS) return false
    this.#askedAtMs = nowMs
    if (isHidden) this.#toLeaveOut++
    return true
  }

  /** To be asked with every packet; true when a key frame is to be asked for unprompted. */
  isDue(nowMs: number): boolean {
    this.#unpromptedAtMs ??= this.#after(nowMs)
    if (nowMs < this.#unpromptedAtMs) return false
    this.#unpromptedAtMs = this.#after(nowMs)
    if (this.#toLeaveOut === 0) return this.isNeeded(nowMs, false)
    this.#toLeaveOut--
    return false
  }

  /** Times without memory: when the last one was says nothing about the next. */
  #after(nowMs: number): number {
    return nowMs - Math.log(1 - this.#random()) * UNPROMPTED_MEAN_MS
  }
}
