/** A process that has not run for so long stood still: blocked, starved, stopped, or its machine slept. */
const STANDSTILL_MS = 2000

/**
 * Counts the time in which this process could hear its clients. While it stands still it hears nobody, and that is
 * not their silence. Steps of the system's clock change nothing.
 */
export class AwakeClock {
  readonly #read: () => number
  #tickedAtMs: number
  #countedMs = 0
  #wokeAtMs = 0

  /** @param read milliseconds that only go forward. */
  constructor(read: () => number = () => performance.now()) {
    this.#read = read
    this.#tickedAtMs = read()
  }

  /** Milliseconds since the clock was made; of a standstill only the first two seconds count. */
  get nowMs(): number {
    return this.#countedMs + Math.min(this.#read() - this.#tickedAtMs, STANDSTILL_MS)
  }

  /** When the last standstill ended; 0 without one. No silence is older than that. */
  get wokeAtMs(): number {
    return this.#wokeAtMs
  }

  /** To be called much more often than every two seconds: what is longer between two calls is a standstill. */
  tick(): void {
    const readMs = this.#read()
    const elapsedMs = readMs - this.#tickedAtMs
    this.#tickedAtMs = readMs
    this.#countedMs += Math.min(elapsedMs, STANDSTILL_MS)
    if (elapsedMs > STANDSTILL_MS) this.#wokeAtMs = this.#countedMs
  }
}
