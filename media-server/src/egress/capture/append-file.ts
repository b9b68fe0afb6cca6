import { createWriteStream, type WriteStream } from 'node:fs'

const FLUSH_INTERVAL_MS = 250
// So much unwritten means a disk that does not keep up, or is gone.
const BACKLOG_BYTES_MAX = 64 * 1024 * 1024

/**
 * A file that only grows. What was appended is with the operating system after a quarter of a
 * second, so that no more is lost when this process is killed.
 */
export class AppendFile {
  #stream: WriteStream
  readonly #onError: (error: Error) => void
  readonly #timer: NodeJS.Timeout
  #waiting: Buffer[] = []
  #isClosed = false

  constructor(file: string, onError: (error: Error) => void) {
    this.#onError = onError
    this.#stream = this.#open(file)
    this.#timer = setInterval(() => this.flush(), FLUSH_INTERVAL_MS).unref()
  }

  /** How many the operating system has taken. */
  get writtenBytes(): number {
    return this.#stream.bytesWritten
  }

  append(bytes: Buffer): void {
    if (!this.#isClosed) this.#waiting.push(bytes)
  }

  flush(): void {
    if (this.#waiting.length === 0) return
    this.#stream.write(Buffer.concat(this.#waiting))
    this.#waiting = []
    if (this.#stream.writableLength > BACKLOG_BYTES_MAX) {
      this.#onError(new Error('the disk does not keep up with the recording'))
    }
  }

  /** Continues in another file. Resolves when what was appended until now is written, or cannot be. */
  async moveOn(file: string): Promise<void> {
    if (this.#isClosed) return
    this.flush()
    const former = this.#stream
    this.#stream = this.#open(file)
    await ended(former)
  }

  /** Resolves when everything is written, or cannot be. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.flush()
    this.#isClosed = true
    clearInterval(this.#timer)
    await ended(this.#stream)
  }

  #open(file: string): WriteStream {
    return createWriteStream(file, { flags: 'a', mode: 0o600 }).on('error', this.#onError)
  }
}

function ended(stream: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) return resolve()
    stream.once('close', resolve)
    stream.end()
  })
}
