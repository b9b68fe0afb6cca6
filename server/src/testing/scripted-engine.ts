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
}

const RATE = 16_000

export function createScriptedEngine(): ScriptedEngine {
  const streams: ScriptedStream[] = []
  const engine: ScriptedEngine = {
    name: 'scripted',
    streams,
    isBroken: false,
    open({ language, translateTo, signal }, sink) {
      if (engine.isBroken) throw new Error('the engine is broken')
      const { scripted, stream } = openStream({ language, translateTo }, sink)
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
  { language, translateTo }: Pick<ScriptedStream, 'language' | 'translateTo'>,
  sink: LiveSink,
): { scripted: ScriptedStream; stream: LiveStream } {
  const pushed: Int16Array[] = []
  const seconds = () => pushed.reduce((sum, { length }) => sum + length, 0) / RATE
  const scripted: ScriptedStream = {
    language,
    translateTo,
    pushed,
    seconds,
    state: 'open',
    say(text, more = {}) {
      const times = { startSec: 0, endSec: seconds() }
      const plain = { segment: 0, isFinal: false, language, isTranslation: false }
      sink.text({ text, ...times, ...plain, ...more })
    },
    fail: () => sink.ended(new Error('the vendor is gone')),
  }
  const stream: LiveStream = {
    push: (pcm) => void pushed.push(pcm),
    end() {
      scripted.state = 'ended'
      sink.ended(null)
    },
  }
  return { scripted, stream }
}
