import { type RawData, WebSocket } from 'ws'
import type { LiveSink, LiveStream } from '../../../../platform/ports/live-engine.ts'
import { EngineError } from '../../transcriptions/engines/engine.ts'
import { parseJson } from '../../transcriptions/engines/read-fields.ts'
import { Utterances } from './utterances.ts'

export const RATE = 16_000

export interface StreamOptions {
  language: string
  /** Null without a translation. */
  translateTo: string | null
  signal: AbortSignal
}

interface Address {
  url: string
  headers?: Record<string, string>
}

/** A vendor's messages on a WebSocket. Sound goes out as binary messages. */
export interface Protocol {
  connect(): Address | Promise<Address>
  /** Sent first. */
  greeting?: object
  /** Recognizes the message after which sound may be sent. Without it, the open connection is enough. */
  isReady?(message: unknown): boolean
  /** Reads a message. Returns true for the last one. Throws for a refusal. */
  read(message: unknown, utterances: Utterances): boolean
  /** Asks for the final text of what was sent. Sent when the sound pauses, because silence is not sent. */
  flush?: object
  /** Sent while there is no sound. */
  keepAlive?: object
  /** The text that ends the stream after this many messages of sound. */
  end(count: number): string
  /** Removes what the vendor keeps of the stream. Called once, after its end. */
  discard?(): void
}

/** From `open` until sound may be sent. */
const READY_MS = 5_000
/** Pause between pings. A connection that answers none of two, nor anything else, is gone. */
const BEAT_MS = 1_500
const UNANSWERED_MAX = 2
/** Without sound for this long, the speaker pauses. */
const PAUSE_MS = 500
/** From a pause until the final text, for engines that do not say that they have finished. */
const SETTLE_MS = 2_000
const END_MS = 10_000
/** Sound without any answer. */
const SILENT_MAX_SEC = 30
const MESSAGE_MAX = 1024 * 1024

/** Opens a stream at a vendor. Errors are fixed sentences, without any address, key or text of the vendor. */
export function openVendorStream(
  protocol: Protocol,
  options: StreamOptions,
  sink: LiveSink,
): LiveStream {
  const stream = new VendorStream(protocol, options, sink)
  stream.connect().catch((error: unknown) => {
    stream.fail(error instanceof EngineError ? error.message : 'the engine cannot be reached')
  })
  return stream
}

class VendorStream implements LiveStream {
  readonly #protocol: Protocol
  readonly #options: StreamOptions
  readonly #sink: LiveSink
  readonly #utterances: Utterances
  readonly #abort = () => this.#finish(null)
  /** Sound that came before it may be sent. */
  #waiting: Int16Array[] = []
  #socket: WebSocket | undefined
  #isReady = false
  #isEnding = false
  #isOver = false
  #sentSamples = 0
  #sentMessages = 0
  #unansweredSamples = 0
  /** Pings since the last answer. */
  #unansweredBeats = 0
  #isPaused = true
  readonly #readyTimer: NodeJS.Timeout
  #pauseTimer: NodeJS.Timeout | undefined
  #settleTimer: NodeJS.Timeout | undefined
  #endTimer: NodeJS.Timeout | undefined
  #beat: NodeJS.Timeout | undefined

  constructor(protocol: Protocol, options: StreamOptions, sink: LiveSink) {
    this.#protocol = protocol
    this.#options = options
    this.#sink = sink
    this.#utterances = new Utterances({
      language: options.language,
      translateTo: options.translateTo,
      heardSec: () => this.#sentSamples / RATE,
      emit: (text) => {
        if (!this.#isOver) sink.text(text)
      },
    })
    this.#readyTimer = setTimeout(() => this.fail('the engine is not ready in time'), READY_MS)
    options.signal.addEventListener('abort', this.#abort)
  }

  async connect(): Promise<void> {
    const { url, headers = {} } = await this.#protocol.connect()
    if (this.#options.signal.aborted) this.#finish(null)
    if (this.#isOver) return this.#protocol.discard?.()
    const socket = new WebSocket(url, {
      headers,
      handshakeTimeout: READY_MS,
      maxPayload: MESSAGE_MAX,
      perMessageDeflate: false,
    })
    this.#socket = socket
    socket.on('open', () => this.#opened())
    socket.on('message', (data, isBinary) => this.#received(data, isBinary))
    socket.on('pong', () => {
      this.#unansweredBeats = 0
    })
    socket.on('unexpected-response', (request, { statusCode }) => {
      request.destroy()
      this.fail(`the engine answered with ${statusCode}`)
    })
    socket.on('error', () => this.fail('the engine cannot be reached'))
    socket.on('close', (code) => {
      if (this.#isEnding && code === 1000) this.#finish(null)
      else this.fail(`the engine ended the connection with ${code}`)
    })
  }

  push(pcm: Int16Array): void {
    if (this.#isOver || this.#isEnding || pcm.length === 0) return
    this.#unansweredSamples += pcm.length
    if (this.#unansweredSamples > SILENT_MAX_SEC * RATE) {
      return this.fail('the engine does not answer')
    }
    // The caller may use its buffer again.
    if (!this.#isReady) this.#waiting.push(pcm.slice())
    else this.#sendSound(pcm)
  }

  end(): void {
    if (this.#isOver || this.#isEnding) return
    this.#isEnding = true
    this.#endTimer = setTimeout(() => this.fail('the engine does not end the stream'), END_MS)
    if (this.#isReady) this.#send(this.#protocol.end(this.#sentMessages))
  }

  fail(message: string): void {
    this.#finish(new Error(message))
  }

  #opened(): void {
    const { greeting } = this.#protocol
    if (greeting !== undefined) this.#send(JSON.stringify(greeting))
    this.#beat = setInterval(() => this.#check(), BEAT_MS)
    if (this.#protocol.isReady === undefined) this.#begin()
  }

  #begin(): void {
    this.#isReady = true
    clearTimeout(this.#readyTimer)
    for (const pcm of this.#waiting.splice(0)) this.#sendSound(pcm)
    if (this.#isEnding) this.#send(this.#protocol.end(this.#sentMessages))
  }

  #received(data: RawData, isBinary: boolean): void {
    this.#unansweredBeats = 0
    this.#unansweredSamples = 0
    if (isBinary || this.#isOver) return
    const message = messageIn(data as Buffer)
    if (message === undefined) return this.fail('the engine answered what is no message')
    if (!this.#isReady && this.#protocol.isReady?.(message) === true) this.#begin()
    try {
      if (this.#protocol.read(message, this.#utterances)) this.#ended()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.fail(error.message)
    }
  }

  /** The engine has no more to say. It may end a stream that has become too long for it. */
  #ended(): void {
    if (this.#isEnding) this.#finish(null)
    else this.fail('the engine ended the stream')
  }

  #sendSound(pcm: Int16Array): void {
    this.#sentSamples += pcm.length
    this.#sentMessages += 1
    this.#socket?.send(Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength))
    this.#isPaused = false
    clearTimeout(this.#settleTimer)
    if (this.#pauseTimer === undefined) {
      this.#pauseTimer = setTimeout(() => this.#pause(), PAUSE_MS)
    } else this.#pauseTimer.refresh()
  }

  #pause(): void {
    this.#isPaused = true
    if (this.#isEnding) return
    if (this.#protocol.flush !== undefined) this.#send(JSON.stringify(this.#protocol.flush))
    this.#settleTimer = setTimeout(() => this.#utterances.settle(), SETTLE_MS)
  }

  #check(): void {
    if (this.#unansweredBeats >= UNANSWERED_MAX) return this.fail('the engine is gone')
    this.#unansweredBeats += 1
    this.#socket?.ping()
    const { keepAlive } = this.#protocol
    if (keepAlive !== undefined && this.#isReady && this.#isPaused && !this.#isEnding) {
      this.#send(JSON.stringify(keepAlive))
    }
  }

  #send(text: string): void {
    this.#socket?.send(text)
  }

  #finish(error: Error | null): void {
    if (this.#isOver) return
    const isAborted = this.#options.signal.aborted
    if (error === null && !isAborted) {
      this.#utterances.end()
      this.#utterances.settle()
    }
    this.#isOver = true
    this.#waiting = []
    this.#options.signal.removeEventListener('abort', this.#abort)
    clearTimeout(this.#readyTimer)
    clearTimeout(this.#pauseTimer)
    clearTimeout(this.#settleTimer)
    clearTimeout(this.#endTimer)
    clearInterval(this.#beat)
    if (error === null && !isAborted) this.#socket?.close()
    else this.#socket?.terminate()
    if (this.#socket !== undefined) this.#protocol.discard?.()
    this.#sink.ended(isAborted ? null : error)
  }
}

/** An engine's refusal in its own messages. The message is a fixed sentence. */
export class Refusal extends Error {}

function messageIn(data: Buffer): unknown {
  try {
    return parseJson(data.toString('utf8'))
  } catch {
    return undefined
  }
}
