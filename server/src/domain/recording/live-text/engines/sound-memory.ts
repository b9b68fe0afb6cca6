import { RATE } from './vendor-stream.ts'

const MEMORY_SEC = 10

/** The last ten seconds of a stream's sound, without what has its final text. */
export class SoundMemory {
  #chunks: Int16Array[] = []
  /** Samples of the stream before the first chunk, and in all. */
  #from = 0
  #until = 0

  add(pcm: Int16Array): void {
    // The caller may use its buffer again.
    this.#chunks.push(pcm.slice())
    this.#until += pcm.length
    this.#drop(this.#until - MEMORY_SEC * RATE)
  }

  /** Forgets what was heard until this time of the stream. */
  forget(sec: number): void {
    this.#drop(Math.min(Math.round(sec * RATE), this.#until))
  }

  recall(): { fromSec: number; chunks: readonly Int16Array[] } {
    return { fromSec: this.#from / RATE, chunks: [...this.#chunks] }
  }

  #drop(until: number): void {
    while (this.#from < until) {
      const [first] = this.#chunks
      if (first === undefined) return
      const count = Math.min(first.length, until - this.#from)
      if (count === first.length) this.#chunks.shift()
      else this.#chunks[0] = first.subarray(count)
      this.#from += count
    }
  }
}
