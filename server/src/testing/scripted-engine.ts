import type { LiveEngine, LiveSink, LiveStream, LiveText } from '../platform/ports/live-engine.ts'

/** A stream that the service has opened. */
interface ScriptedStream {
  language: string
  translateTo: string | null
  /** Everything that was pushed, in order. */
  pushed: Int16Array[]
  /** Seconds that were pushed. */
  seconds(): number
  /** `ended`: no more sound comes. `aborted`: nothing is of interest any more. */
  state: 'open' | 'ended' | 'aborted'
  say(text: string, more?: Partial<LiveText>): void
  /** As the vendor does it when it is gone. */
  fail(): void
}

/** An engine whose texts the test chooses. */
export interface ScriptedEngine extends LiveEngine {
  streams: ScriptedStream[]
  /** While true, it throws where it should open a stream. */
  isBroken: boolean
  /** The final text that a stream still says when it is told to end. */
  lastWords: string | null
}

const RATE = 16_000

export function createScriptedEngine(): ScriptedEngine {
  const streams: ScriptedStream[] = []
  const engine: ScriptedEngine = {
    name: 'scripted',
    streams,
    isBroken: false,
    lastWords: null,
    open({ language, translateTo, signal }, sink) {
      if (engine.isBroken) throw new Error('the engine is broken')
      const { scripted, stream } = openStream(
        { language, translateTo, lastWords: () => engine.lastWords },
        sink,
      )
      signal.addEventListener('abort', () => {
        if (scripted.state === 'open') scripted.state = 'aborted'
      })
      streams.push(scripted)
      return stream
    },
  }
  return engine
}

function openStream(
  {
    lastWords,
    ...spoken
  }: Pick<ScriptedStream, 'language' | 'translateTo'> & { lastWords: () => string | null },
  sink: LiveSink,
): { scripted: ScriptedStream; stream: LiveStream } {
  const pushed: Int16Array[] = []
  const seconds = () => pushed.reduce((sum, { length }) => sum + length, 0) / RATE
  const scripted: ScriptedStream = {
    ...spoken,
    pushed,
    seconds,
    state: 'open',
    say(text, more = {}) {
      const times = { startSec: 0, endSec: seconds() }
      const plain = { segment: 0, isFinal: false, language: spoken.language, isTranslation: false }
      sink.text({ text, ...times, ...plain, ...more })
    },
    fail: () => sink.ended(new Error('the vendor is gone')),
  }
  const stream: LiveStream = {
    push: (pcm) => void pushed.push(pcm),
    end() {
      scripted.state = 'ended'
      // As a vendor, it answers later.
      setImmediate(() => {
        const text = lastWords()
        if (text !== null) scripted.say(text, { isFinal: true })
        sink.ended(null)
      })
    },
  }
  return { scripted, stream }
}
