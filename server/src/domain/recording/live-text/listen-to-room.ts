import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { onceAvailable } from '../../../platform/db/once-available.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { LiveEngine } from '../../../platform/ports/live-engine.ts'
import { type Captions, createCaptions } from './captions.ts'
import { openFirst } from './engines/open-first.ts'
import { followHeardRoom, type HeardRoom } from './heard-room.ts'
import { insertText } from './live-text-store.ts'
import { Speaker, type SpokenText, TICKS_PER_SEC } from './speaker.ts'

const TICK_MS = 1000 / TICKS_PER_SEC
/** Engines have this long to say the rest when listening ends. A worker that stops waits longer for its jobs. */
const REST_MS = 5000

type ListenDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'metrics'> & {
  log: Logger
  engines: readonly LiveEngine[]
}

interface Listening {
  roomId: string
  listener: string
  signal: AbortSignal
}

/**
 * Listens until nobody is inside or live text is off. Returns false if the connection was lost, or the media room ended, before
 * that.
 */
export async function listenToRoom(deps: ListenDeps, listening: Listening): Promise<boolean> {
  const over = new AbortController()
  const signal = AbortSignal.any([listening.signal, over.signal])
  const people = new Map<string, Listened>()
  const room = await followHeardRoom(deps.db, listening.roomId, () => {
    for (const [identity, person] of people) {
      if (room.mayBeHeard(identity)) continue
      person.close()
      people.delete(identity)
    }
    if (!room.isWanted) over.abort(DONE)
  })
  const captions = createCaptions(deps.db, listening.roomId)
  const ears = { deps, listening, room, captions, texts: createTexts(deps, listening) }
  const ticking = setInterval(() => {
    for (const [identity, { speaker }] of people) {
      if (room.mayBeHeard(identity)) speaker.tick()
    }
  }, TICK_MS).unref()
  try {
    if (!room.isWanted) return true
    const isHeard = await deps.media.listen(
      listening.roomId,
      ({ identity, pcm }) => {
        // For every packet: a consent that was withdrawn holds from the next one on.
        if (!room.mayBeHeard(identity)) return
        const person = people.get(identity) ?? listenTo(identity, ears)
        people.set(identity, person)
        person.speaker.hear(pcm)
      },
      signal,
    )
    await letFinish([...people.values()])
    return !isHeard || !room.isWanted
  } catch (error) {
    // Also when this process stops, the sentence that is being said becomes text before another one takes over.
    if (signal.aborted) await letFinish([...people.values()])
    if (error !== DONE) throw error
    return true
  } finally {
    clearInterval(ticking)
    for (const person of people.values()) person.close()
    captions.stop()
    room.stop()
    await ears.texts.settle()
  }
}

const DONE = new Error('nobody is to be heard')

interface Ears {
  deps: ListenDeps
  listening: Listening
  room: HeardRoom
  captions: Captions
  texts: Texts
}

interface Listened {
  speaker: Speaker
  /** Ends it without a final text, and takes what is shown of the sentence away. */
  close(): void
}

/** One person's speech. */
function listenTo(identity: string, { deps, room, captions, texts }: Ears): Listened {
  const { engines, clock, metrics, log } = deps
  const participantId = room.participantIdOf(identity)
  let shown: SpokenText | undefined
  const onFailure = (name: string, error: Error): void => {
    metrics.liveTextStreams.inc({ outcome: 'failed' })
    log.warn({ err: error, engine: name }, 'live text: an engine failed')
  }
  const captionOf = ({ segment, text, language, isTranslation }: SpokenText, isFinal: boolean) => ({
    participant_id: participantId,
    identity,
    segment,
    text,
    final: isFinal,
    language,
    is_translation: isTranslation,
  })
  const speaker = new Speaker({
    open: (options, sink) => openFirst(engines, { ...options, onFailure }, sink),
    language: room.language,
    translateTo: room.translateTo,
    clock,
    said(spoken) {
      if (!room.mayBeHeard(identity)) return
      if (!spoken.isFinal) {
        shown = spoken
        return captions.show(captionOf(spoken, false), room.readers)
      }
      captions.drop(spoken.segment)
      if (shown?.segment === spoken.segment) shown = undefined
      // An engine may find that nothing was said.
      if (spoken.text.trim() === '') return captions.show(captionOf(spoken, true), room.readers)
      const { isFinal: _isFinal, ...text } = spoken
      const isObservable = room.isObserved
      texts.store({ ...text, identity, participantId, isObservable, roles: room.readers })
    },
    streamEnded: (how) => metrics.liveTextStreams.inc({ outcome: how }),
    failed: (error) => onFailure('', error),
  })
  return {
    speaker,
    close() {
      speaker.close()
      if (shown !== undefined) captions.show(captionOf({ ...shown, text: '' }, true), room.readers)
      shown = undefined
    },
  }
}

/** Lets engines say the rest of what was said. */
async function letFinish(people: readonly Listened[]): Promise<void> {
  for (const { speaker } of people) speaker.end()
  const untilMs = performance.now() + REST_MS
  while (people.some(({ speaker }) => speaker.isPending) && performance.now() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, TICK_MS))
  }
}

type TextToStore = Omit<Parameters<typeof insertText>[1], 'id' | 'roomId' | 'listener'>

interface Texts {
  store(text: TextToStore): void
  /** Resolves when everything is stored. */
  settle(): Promise<void>
}

/** Stores final texts one after the other, also after the database was away. */
function createTexts({ db, log }: ListenDeps, { roomId, listener, signal }: Listening): Texts {
  let last: Promise<unknown> = Promise.resolve()
  return {
    store(text) {
      const row = { ...text, id: randomUUID(), roomId, listener }
      last = last
        .then(() => onceAvailable(() => insertText(db, row), signal))
        .catch((error: unknown) => log.warn({ err: error, room: roomId }, 'live text not stored'))
    },
    settle: async () => void (await last),
  }
}
