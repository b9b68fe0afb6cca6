import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const ERROR_TEXT_MAX = 2000

/** One run of ffmpeg with its input fed and its output read by us. */
export class FfmpegProcess {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #ended: Promise<void>
  #errorText = ''
  #isStopped = false

  constructor(program: string, args: readonly string[]) {
    this.#child = spawn(program, args, { stdio: 'pipe' })
    this.#child.stderr.on('data', (text: Buffer) => {
      this.#errorText = (this.#errorText + text.toString()).slice(-ERROR_TEXT_MAX)
    })
    // It may end before it has read everything; its exit code says more.
    this.#child.stdin.on('error', () => {})
    this.#ended = this.#end()
    this.#ended.catch(() => {})
  }

  get output(): Readable {
    return this.#child.stdout
  }

  /** Feeds the whole input; resolves when it is taken, or the process does not want it. */
  async feed(input: AsyncIterable<Buffer>): Promise<void> {
    try {
      await pipeline(Readable.from(input), this.#child.stdin)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EPIPE' && code !== 'ERR_STREAM_PREMATURE_CLOSE' && !this.#isStopped) throw error
    }
  }

  /** Resolves when the bytes are taken and may be changed. */
  async write(bytes: Buffer): Promise<void> {
    const error = await new Promise<Error | null | undefined>((resolve) => {
      this.#child.stdin.write(bytes, resolve)
    })
    if (!error) return
    await this.#ended
    throw new Error('ffmpeg ended before its input', { cause: error })
  }

  /** Ends the input and resolves when the process has ended well; throws what it said otherwise. */
  async finish(): Promise<void> {
    this.#child.stdin.end()
    await this.#ended
  }

  async ended(): Promise<void> {
    await this.#ended
  }

  /** Ends the process on purpose, which is not a failure. */
  stop(): void {
    this.#isStopped = true
    this.#child.kill('SIGKILL')
  }

  async #end(): Promise<void> {
    const [code] = (await once(this.#child, 'close')) as [number | null]
    if (code === 0 || this.#isStopped) return
    throw new Error(`ffmpeg ended with ${code}: ${this.#errorText.trim()}`)
  }
}

/** Reads a stream in pieces of exactly the given sizes. */
export class ExactReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** The next bytes; fewer at the end, and undefined after it. */
  async read(sizeBytes: number): Promise<Buffer | undefined> {
    if (this.#rest.length >= sizeBytes) return this.#take(sizeBytes)
    const target = Buffer.allocUnsafe(sizeBytes)
    const filledBytes = await this.fill(target)
    return filledBytes === 0 ? undefined : target.subarray(0, filledBytes)
  }

  /** Copies the next bytes into the target; returns how many, which are fewer than requested at the end. */
  async fill(target: Buffer): Promise<number> {
    let filledBytes = 0
    while (filledBytes < target.length) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next()
        if (done === true) break
        this.#rest = value
      }
      filledBytes += this.#take(target.length - filledBytes).copy(target, filledBytes)
    }
    return filledBytes
  }

  #take(sizeBytes: number): Buffer {
    const taken = this.#rest.subarray(0, sizeBytes)
    this.#rest = this.#rest.subarray(sizeBytes)
    return taken
  }
}
