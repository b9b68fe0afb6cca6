import type {
  LiveEngine,
  LiveSink,
  LiveStream,
  LiveText,
} from '../../../../platform/ports/live-engine.ts'
import { SoundMemory } from './sound-memory.ts'
import { RATE, type StreamOptions } from './vendor-stream.ts'

interface FailoverOptions extends StreamOptions {
  /** Called for each engine that failed. The message of the error is a fixed sentence. */
  onFailure?: (engine: string, error: Error) => void
}

const PAUSE_MIN_MS = 1_000
const PAUSE_MAX_MS = 30_000
/** Sound that comes after a final text although nobody speaks: the rest of the silence after a word. */
const REST_SAMPLES = 0.8 * RATE

/**
 * Opens the first engine. When its stream fails, the next engine hears what was said since the last final text, at most ten
 * seconds; after the last engine, the first one again, with a pause that grows to 30 seconds. Texts keep their times and
 * segments, so that none comes twice. Ends with an error only where there is no engine, or after `end`.
 */
export function openFirst(
  engines: readonly LiveEngine[],
  options: FailoverOptions,
  sink: LiveSink,
): LiveStream {
  return new FailoverStream(engines, options, sink)
}

class FailoverStream implements LiveStream {
  readonly #engines: readonly LiveEngine[]
  readonly #options: FailoverOptions
  readonly #sink: LiveSink
  readonly #memory = new SoundMemory()
  readonly #abort = () => this.#finish(null)
  #current: LiveStream | undefined
  #timer: NodeJS.Timeout | undefined
  /** The engine whose turn it is. */
  #turn = 0
  /** Failures since the last final text. */
  #failures = 0
  /** The number of the first segment that has no final text. */
  #segment = 0
  /** Sound since the last final text. */
  #freshSamples = 0
  #isResting = false
  #isEnding = false
  #isOver = false

  constructor(engines: readonly LiveEngine[], options: FailoverOptions, sink: LiveSink) {
    this.#engines = engines
    this.#options = options
    this.#sink = sink
    options.signal.addEventListener('abort', this.#abort)
    if (options.signal.aborted) queueMicrotask(this.#abort)
    else this.#open()
  }

  push(pcm: Int16Array): void {
    if (this.#isOver || this.#isEnding) return
    this.#memory.add(pcm)
    this.#freshSamples += pcm.length
    if (this.#isResting) this.#open()
    else this.#current?.push(pcm)
  }

  end(): void {
    if (this.#isOver || this.#isEnding) return
    this.#isEnding = true
    // Engines that failed before have one more turn.
    this.#failures = 0
    if (this.#current !== undefined) this.#current.end()
    else if (this.#isResting) this.#finish(null)
    else this.#openAfter(0)
  }

  #open(): void {
    this.#isResting = false
    const engine = this.#engines[this.#turn]
    if (engine === undefined) {
      queueMicrotask(() => this.#finish(new Error('live text has no engine')))
      return
    }
    const { fromSec, chunks } = this.#memory.recall()
    const first = this.#segment
    let hasFinal = false
    let isOver = false
    const stream = engine.open(this.#options, {
      text: (text) => {
        if (isOver || this.#isOver) return
        if (text.isFinal && !text.isTranslation) hasFinal = true
        this.#heard(text, { first, fromSec })
      },
      ended: (error) => {
        if (isOver) return
        isOver = true
        this.#current = undefined
        this.#ended(engine.name, { error, hasFinal })
      },
    })
    if (isOver) return
    this.#current = stream
    for (const chunk of chunks) stream.push(chunk)
    if (this.#isEnding) stream.end()
  }

  #heard(text: LiveText, { first, fromSec }: { first: number; fromSec: number }): void {
    const segment = first + text.segment
    const [startSec, endSec] = [fromSec + text.startSec, fromSec + text.endSec]
    if (text.isFinal && !text.isTranslation) {
      this.#memory.forget(endSec)
      this.#freshSamples = 0
      this.#segment = Math.max(this.#segment, segment + 1)
      if (!this.#isEnding) this.#failures = 0
    }
    this.#sink.text({ ...text, segment, startSec, endSec })
  }

  #ended(name: string, { error, hasFinal }: { error: Error | null; hasFinal: boolean }): void {
    if (this.#isOver) return
    if (error === null && this.#isEnding) return this.#finish(null)
    const failure = error ?? new Error('the engine ended the stream')
    // Vendors end a stream that is long or quiet. Nothing is lost, so the same engine goes on with the next sound.
    const isQuiet = hasFinal && this.#freshSamples < REST_SAMPLES
    if (isQuiet && this.#isEnding) return this.#finish(null)
    if (isQuiet) {
      this.#isResting = true
      return
    }
    this.#options.onFailure?.(name, failure)
    this.#failures += 1
    if (this.#isEnding && this.#failures >= this.#engines.length) return this.#finish(failure)
    this.#turn = (this.#turn + 1) % this.#engines.length
    const rounds = Math.floor(this.#failures / this.#engines.length)
    const isRoundOver = this.#failures % this.#engines.length === 0
    const pauseMs = isRoundOver ? PAUSE_MIN_MS * 2 ** Math.min(rounds - 1, 10) : 0
    this.#openAfter(Math.min(pauseMs, PAUSE_MAX_MS))
  }

  #openAfter(pauseMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (!this.#isOver) this.#open()
    }, pauseMs)
  }

  #finish(error: Error | null): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#options.signal.removeEventListener('abort', this.#abort)
    this.#sink.ended(error)
  }
}
