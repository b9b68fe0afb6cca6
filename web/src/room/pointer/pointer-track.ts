import type { PointerChannel } from '../../connection/pointer-channel.ts'
import { decodePointer, encodePointer, type Place } from './pointer-message.ts'

/** How long the pointer stays visible after the last move. */
const LASTS_MS = 3_000
/** The shortest time between two moves of another person's pointer, however often messages arrive. */
const DRAW_EVERY_MS = 30
const SEND_EVERY_MS = 50
/** Messages may be lost. The last position is sent a second time, so that nobody keeps an older one. */
const REPEAT_AFTER_MS = 500

type Listener = () => void

/** The moderator's pointer on one handout. Moves of this page's person are sent to everybody. */
export class PointerTrack {
  readonly #channel: Pick<PointerChannel, 'send' | 'listen'>
  readonly #handoutId: string
  readonly #listeners = new Set<Listener>()
  readonly #send: Latest<Place | null>
  readonly #draw: Latest<Place | null>
  #place: Place | null = null
  #end: ReturnType<typeof setTimeout> | undefined
  #repeat: ReturnType<typeof setTimeout> | undefined

  constructor(channel: Pick<PointerChannel, 'send' | 'listen'>, handoutId: string) {
    this.#channel = channel
    this.#handoutId = handoutId
    this.#send = new Latest(SEND_EVERY_MS, (place) =>
      channel.send(encodePointer({ handoutId, place })),
    )
    this.#draw = new Latest(DRAW_EVERY_MS, (place) => this.#show(place))
  }

  readonly getState = (): Place | null => this.#place

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Follows the pointers of moderators; returns a function that stops it. */
  follow(): () => void {
    const leave = this.#channel.listen((bytes) => {
      const message = decodePointer(bytes)
      if (message?.handoutId === this.#handoutId) this.#draw.put(message.place)
    })
    return () => {
      leave()
      this.#draw.stop()
      this.#send.stop()
      clearTimeout(this.#end)
      clearTimeout(this.#repeat)
    }
  }

  /** The person at this page moves the pointer, or takes it away. */
  move(place: Place | null): void {
    this.#show(place)
    this.#send.put(place)
    clearTimeout(this.#repeat)
    this.#repeat = setTimeout(() => this.#send.put(place), REPEAT_AFTER_MS)
  }

  #show(place: Place | null): void {
    clearTimeout(this.#end)
    this.#place = place
    if (place !== null) this.#end = setTimeout(() => this.#show(null), LASTS_MS)
    for (const listener of this.#listeners) listener()
  }
}

/** Limits the rate of an action. It always acts on the newest value. */
class Latest<T> {
  readonly #everyMs: number
  readonly #act: (value: T) => void
  #waiting: { value: T } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(everyMs: number, act: (value: T) => void) {
    this.#everyMs = everyMs
    this.#act = act
  }

  put(value: T): void {
    this.#waiting = { value }
    if (this.#timer === undefined) this.#next()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#waiting = undefined
  }

  #next(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    this.#timer = waiting === undefined ? undefined : setTimeout(() => this.#next(), this.#everyMs)
    if (waiting !== undefined) this.#act(waiting.value)
  }
}
