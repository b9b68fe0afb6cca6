import { distance16 } from '@interview-room/composer/sequence-numbers.ts'

// A retransmission has arrived by then, or does not come.
const REPAIR_MS = 400
const MISSING_MAX = 500

/** Notices packets that were lost for good. */
export class LossWatch {
  readonly #missing = new Map<number, number>()
  #highest: number | undefined

  reset(): void {
    this.#missing.clear()
    this.#highest = undefined
  }

  /** True when something that was to come before this packet is given up. */
  observe(sequenceNumber: number, atMs: number): boolean {
    const ahead = this.#highest === undefined ? 1 : distance16(this.#highest, sequenceNumber)
    if (ahead <= 0) {
      this.#missing.delete(sequenceNumber)
    } else {
      for (let back = Math.min(ahead, MISSING_MAX) - 1; back > 0; back--) {
        this.#missing.set((sequenceNumber - back) & 0xffff, atMs)
      }
      this.#highest = sequenceNumber
    }
    const [oldest] = this.#missing.values()
    if (oldest === undefined || atMs - oldest < REPAIR_MS) return false
    this.#missing.clear()
    return true
  }
}
