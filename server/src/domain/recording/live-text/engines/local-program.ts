import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { LiveProgramSettings } from '../../../../platform/config/live-text-config.ts'
import type { LiveEngine, LiveSink, LiveStream } from '../../../../platform/ports/live-engine.ts'
import { killGroup, lowerPriority, fill } from '../../transcriptions/engines/local-command.ts'
import { numberAt, parseJson, textAt } from '../../transcriptions/engines/read-fields.ts'
import { Utterances } from './utterances.ts'
import { RATE, type StreamOptions } from './vendor-stream.ts'

/** From the end of its input until the program is killed. */
const END_MS = 5_000
/** Sound without any line, and sound that the program has not read. */
const SILENT_MAX_SEC = 30
const BYTES_PER_SEC = 2 * RATE
const LINE_MAX = 64 * 1024

/**
 * Runs any program of this machine that reads sound from its standard input and prints what it hears, a line of JSON for
 * each text. One process for each stream, without a shell.
 */
export function createLiveProgram(settings: LiveProgramSettings): LiveEngine {
  return { name: 'local', open: (options, sink) => new ProgramStream(settings, options, sink) }
}

class ProgramStream implements LiveStream {
  readonly #sink: LiveSink
  readonly #options: StreamOptions
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #utterances: Utterances
  readonly #abort = () => this.#finish(null)
  #samples = 0
  #unansweredSamples = 0
  #isEnding = false
  #isOver = false
  #endTimer: NodeJS.Timeout | undefined

  constructor(settings: LiveProgramSettings, options: StreamOptions, sink: LiveSink) {
    this.#sink = sink
    this.#options = options
    this.#utterances = new Utterances({
      language: options.language,
      translateTo: options.translateTo,
      heardSec: () => this.#samples / RATE,
      emit: (text) => {
        if (!this.#isOver) sink.text(text)
      },
    })
    this.#child = start(settings, options)
    lowerPriority(this.#child.pid)
    this.#child.on('error', () => this.#fail('the program cannot be run'))
    this.#child.on('close', (code) => this.#closed(code))
    // A program that has ended reads no more, and its end is reported above.
    this.#child.stdin.on('error', () => undefined)
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#printed(line))
    options.signal.addEventListener('abort', this.#abort)
    if (options.signal.aborted) queueMicrotask(this.#abort)
  }

  push(pcm: Int16Array): void {
    if (this.#isOver || this.#isEnding || pcm.length === 0) return
    this.#samples += pcm.length
    this.#unansweredSamples += pcm.length
    const isLate = this.#child.stdin.writableLength > SILENT_MAX_SEC * BYTES_PER_SEC
    if (isLate) return this.#fail('the program is too slow')
    if (this.#unansweredSamples > SILENT_MAX_SEC * RATE) return this.#fail('the program is silent')
    // The caller may use its buffer again.
    this.#child.stdin.write(Buffer.from(pcm.slice().buffer))
  }

  end(): void {
    if (this.#isOver || this.#isEnding) return
    this.#isEnding = true
    this.#endTimer = setTimeout(() => this.#fail('the program does not end'), END_MS)
    this.#child.stdin.end()
  }

  /** A line that is no text of the protocol, such as a message of a library, is ignored. */
  #printed(line: string): void {
    if (this.#isOver || line.length > LINE_MAX) return
    const given = jsonIn(line)
    const type = textAt(given, 'type')
    if (type !== 'partial' && type !== 'final') return
    this.#unansweredSamples = 0
    const piece = {
      text: textAt(given, 'text') ?? '',
      startSec: numberAt(given, 'start'),
      endSec: numberAt(given, 'end'),
    }
    const translation = textAt(given, 'translation') ?? ''
    const { segment } = this.#utterances
    if (type === 'partial') {
      this.#utterances.guess([piece])
      this.#utterances.guessTranslation(segment, translation)
    } else {
      this.#utterances.confirm(piece)
      this.#utterances.end()
      this.#utterances.translate(segment, translation)
      this.#utterances.endTranslation(segment)
    }
  }

  #closed(code: number | null): void {
    if (this.#isEnding && code === 0) this.#finish(null)
    else this.#fail('the program ended')
  }

  #fail(message: string): void {
    this.#finish(new Error(message))
  }

  #finish(error: Error | null): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#endTimer)
    this.#options.signal.removeEventListener('abort', this.#abort)
    killGroup(this.#child.pid)
    this.#sink.ended(this.#options.signal.aborted ? null : error)
  }
}

function start(
  { command: [program, ...rest], withheld }: LiveProgramSettings,
  { language, translateTo }: StreamOptions,
) {
  const env = Object.entries(process.env).filter(([name]) => !withheld.has(name))
  const values = { language, lang: language.slice(0, 2), target: translateTo?.slice(0, 2) ?? '' }
  return spawn(
    program,
    rest.map((part) => fill(part, values)),
    { env: Object.fromEntries(env), detached: true, stdio: ['pipe', 'pipe', 'ignore'] },
  )
}

function jsonIn(line: string): unknown {
  try {
    return parseJson(line)
  } catch {
    return undefined
  }
}
