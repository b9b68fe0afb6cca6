import type { Readable } from 'node:stream'
import { type RawFrame, rawBytes } from './canvas.ts'
import { ExactReader } from './ffmpeg-process.ts'
import type { Size } from './layouts.ts'

/** Reads raw pictures of one size. Each is valid until the one after the next is asked for. */
export class FrameReader {
  readonly #reader: ExactReader
  readonly #size: Size
  // Two in turn: memory for every picture would be most of the work of composing.
  #next: Buffer
  #last: Buffer

  constructor(output: Readable, size: Size) {
    this.#reader = new ExactReader(output)
    this.#size = size
    this.#next = Buffer.allocUnsafe(rawBytes(size))
    this.#last = Buffer.allocUnsafe(rawBytes(size))
  }

  /** The next whole picture; undefined after the last one. */
  async read(): Promise<RawFrame | undefined> {
    const data = this.#next
    if ((await this.#reader.fill(data)) < data.length) return undefined
    this.#next = this.#last
    this.#last = data
    return { ...this.#size, data }
  }
}
