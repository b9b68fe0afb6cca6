import type { ErrorEnvelope } from '@interview-room/contract/errors.ts'
import type { RoomChanges } from '@interview-room/contract/live-changes.ts'
import type { StreamEventName, StreamEvents } from '@interview-room/contract/live-stream.ts'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { backoffMs } from '../live/backoff.ts'
import type { StreamState, LiveEvent } from '../live/store.ts'
import {
  BAD_LINK,
  CLOSED,
  ELSEWHERE,
  LOST,
  OVER,
  REMOVED,
  type Refusal,
  refusalOf,
} from './refusal.ts'
import { takePlace } from './stream-place.ts'

/** The service answers with a byte at once. Without one by then, something on the way holds the stream back. */
const FIRST_BYTE_MAX_MS = 2_500
/** While the stream is held back, the page reads the changes this often, and tries the stream again after a while. */
const READ_EVERY_MS = 2_000
const READ_MAX_MS = 5_000
const STREAM_AGAIN_MS = 60_000
const PLACE_AGAIN_MS = 10_000
/** Heartbeats arrive every 15 s. After three missed ones the connection counts as dead. */
const SILENCE_MAX_MS = 45_000
/** A page that wakes up does not trust a connection that missed a heartbeat. */
const STALE_AFTER_MS = 20_000

/** Importing the contract's table as a value would load the schema library, too. */
const NAMES: Record<StreamEventName, true> = {
  snapshot: true,
  message: true,
  messages_purged: true,
  roster: true,
  presentation: true,
  spotlight: true,
  recording: true,
  handouts: true,
  fact: true,
  question: true,
  caption: true,
  live_text: true,
  mute_requested: true,
  window: true,
  closing: true,
  ticket: true,
  removed: true,
  closed: true,
}

const REMOVALS: Record<StreamEvents['removed']['reason'], Refusal> = {
  banned: { page: 'banned', code: 'PARTICIPANT_BANNED' },
  removed: REMOVED,
  opened_elsewhere: ELSEWHERE,
}

export interface LiveStreamOptions {
  /** The address of the room's live operations. */
  base: string
  /** Returns the current room ticket. */
  ticket: () => string
  on: {
    state(state: StreamState): void
    event(event: LiveEvent): void
    /** The service's time, in epoch milliseconds. */
    time?(serviceMs: number): void
    /** Called with the last event. */
    ended(refusal: Refusal): void
  }
  /** Takes one of the few streams that a browser may hold, and returns a function that gives it back. */
  takePlace?: () => Promise<(() => void) | undefined>
  silenceMaxMs?: number
  firstByteMaxMs?: number
  readEveryMs?: number
  random?: () => number
}

type Outcome =
  /** `isOurs`: the service itself answered. Otherwise something on the way may hold the stream back. */
  | { kind: 'cut'; wasOpen: boolean; isOurs: boolean }
  | { kind: 'read' }
  | { kind: 'ended'; refusal: Refusal }

const CUT = { kind: 'cut', wasOpen: false, isOurs: false } as const

/**
 * Reads the live stream of a room until it ends or is closed. It uses `fetch`, because an EventSource cannot send the
 * ticket. After an interruption it resumes from the last event received. Where a proxy holds the stream back, it reads the same
 * events by plain requests.
 */
export class LiveStream {
  readonly #options: LiveStreamOptions
  #lastId = ''
  #lastByteAtMs = 0
  #isClosed = false
  #attempt = new AbortController()
  /** Until then, plain requests take the place of the stream. By the monotonic clock. */
  #readUntilMs = 0
  /** The attempt was aborted for a better one, which starts without a pause. */
  #isHurried = false
  #wake = () => {}

  constructor(options: LiveStreamOptions) {
    this.#options = options
  }

  /** Resolves when the stream has ended. */
  async run(): Promise<void> {
    let failures = 0
    while (!this.#isClosed) {
      const outcome = await this.#attemptOnce()
      if (this.#isClosed) return
      if (outcome.kind === 'ended') {
        this.close()
        return this.#options.on.ended(outcome.refusal)
      }
      if (outcome.kind === 'read') {
        failures = 0
        await this.#pause(this.#options.readEveryMs ?? READ_EVERY_MS)
      } else {
        this.#options.on.state('reconnecting')
        if (outcome.wasOpen) failures = 0
        await this.#pause(backoffMs(failures, (this.#options.random ?? Math.random)()))
        failures += 1
      }
    }
  }

  /** Follows the stream until it ends; where nothing comes of it, reads the changes once. */
  async #attemptOnce(): Promise<Outcome> {
    if (performance.now() < this.#readUntilMs) return this.#readChanges()
    const followed = await this.#follow()
    if (followed === undefined) {
      this.#readUntilMs = performance.now() + PLACE_AGAIN_MS
      return this.#readChanges()
    }
    const isHeldBack = followed.kind === 'cut' && !followed.wasOpen && !followed.isOurs
    if (!isHeldBack || this.#isHurried || this.#isClosed) return followed
    const read = await this.#readChanges()
    if (read.kind === 'read') this.#readUntilMs = performance.now() + STREAM_AGAIN_MS
    return read
  }

  /** The network or the page is back. Retries immediately, and drops a connection that may be dead. */
  refresh({ isNewNetwork }: { isNewNetwork: boolean }): void {
    // Uses the wall clock, because the monotonic one stands still in many browsers while the machine sleeps.
    const isStale = Date.now() - this.#lastByteAtMs > STALE_AFTER_MS
    if (isNewNetwork) this.#readUntilMs = 0
    if (isNewNetwork || isStale) {
      this.#isHurried = true
      this.#attempt.abort()
    }
    this.#wake()
  }

  close(): void {
    this.#isClosed = true
    this.#attempt.abort()
    this.#wake()
  }

  async #pause(delayMs: number): Promise<void> {
    if (this.#isHurried) return
    await new Promise<void>((resolve) => {
      setTimeout(resolve, delayMs)
      this.#wake = resolve
    })
    this.#wake = () => {}
  }

  /** Undefined if other pages of this browser hold all the streams that it may have. */
  async #follow(): Promise<Outcome | undefined> {
    const leave = await (this.#options.takePlace ?? takePlace)()
    if (leave === undefined) return undefined
    try {
      return await this.#followHere()
    } finally {
      leave()
    }
  }

  async #followHere(): Promise<Outcome> {
    const attempt = this.#begin()
    const { silenceMaxMs = SILENCE_MAX_MS, firstByteMaxMs = FIRST_BYTE_MAX_MS } = this.#options
    const silence = watchSilence(silenceMaxMs, () => attempt.abort())
    const first = watchSilence(firstByteMaxMs, () => attempt.abort())
    const ticket = this.#options.ticket()
    let wasOpen = false
    const heard = (): void => {
      first.stop()
      silence.heard()
      if (!wasOpen) this.#options.on.state('live')
      wasOpen = true
    }
    try {
      const answer = await fetch(`${this.#options.base}/stream`, {
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${ticket}`,
          ...(this.#lastId === '' ? {} : { 'last-event-id': this.#lastId }),
        },
        cache: 'no-store',
        signal: attempt.signal,
      })
      if (!answer.ok) return await this.#refused(answer, ticket)
      // A captive portal answers everything with a page of its own.
      if (!isStream(answer)) return CUT
      const last = await this.#notifyAll(answer, heard)
      if (last !== undefined) return { kind: 'ended', refusal: last }
    } catch {
      // No network, silence and a broken connection are all retried.
    } finally {
      first.stop()
      silence.stop()
    }
    return { ...CUT, wasOpen }
  }

  #begin(): AbortController {
    const attempt = new AbortController()
    this.#attempt = attempt
    this.#isHurried = false
    return attempt
  }

  /** Reads what happened since the last event by one plain request. */
  async #readChanges(): Promise<Outcome> {
    const attempt = this.#begin()
    const timeout = watchSilence(READ_MAX_MS, () => attempt.abort())
    const ticket = this.#options.ticket()
    try {
      const after = this.#lastId === '' ? '' : `?after=${encodeURIComponent(this.#lastId)}`
      const answer = await fetch(`${this.#options.base}/changes${after}`, {
        headers: { authorization: `Bearer ${ticket}` },
        cache: 'no-store',
        signal: attempt.signal,
      })
      if (!answer.ok) return await this.#refused(answer, ticket)
      const { data } = (await answer.json()) as { data: RoomChanges }
      if (this.#isClosed) return { kind: 'read' }
      this.#lastByteAtMs = Date.now()
      this.#options.on.state('live')
      for (const { name, data: content } of data.events) {
        if (!Object.hasOwn(NAMES, name)) continue
        const event = { name, data: content } as LiveEvent
        this.#options.on.event(event)
        const last = endOf(event)
        if (last !== undefined) return { kind: 'ended', refusal: last }
      }
      this.#lastId = data.cursor
      this.#noteTime(data.now)
      return { kind: 'read' }
    } catch {
      return CUT
    } finally {
      timeout.stop()
    }
  }

  /** Returns the reason to leave if the last event gave one. */
  async #notifyAll(answer: Response, onByte: () => void): Promise<Refusal | undefined> {
    let last: Refusal | undefined
    const parser = createParser({
      onEvent: (event) => {
        if (last === undefined) last = this.#deliver(event)
      },
      onComment: (comment) => this.#noteTime(/^ ?now (.+)/.exec(comment)?.[1]),
    })
    const text = new TextDecoder()
    for await (const bytes of chunksOf(answer)) {
      this.#lastByteAtMs = Date.now()
      onByte()
      parser.feed(text.decode(bytes, { stream: true }))
      if (last !== undefined) break
    }
    return last
  }

  #noteTime(text: string | undefined): void {
    const serviceMs = Date.parse(text ?? '')
    if (Number.isFinite(serviceMs)) this.#options.on.time?.(serviceMs)
  }

  #deliver({ event: name, data, id }: EventSourceMessage): Refusal | undefined {
    if (this.#isClosed || name === undefined || !Object.hasOwn(NAMES, name)) return undefined
    const event = { name, data: JSON.parse(data) } as LiveEvent
    this.#options.on.event(event)
    if (id !== undefined) this.#lastId = id
    return endOf(event)
  }

  async #refused(
    answer: Response,
    ticket: string,
  ): Promise<Extract<Outcome, { kind: 'cut' | 'ended' }>> {
    const cut: Outcome = { ...CUT, isOurs: true }
    // The ticket was renewed during the request.
    if (answer.status === 401 && ticket !== this.#options.ticket()) return cut
    const body = (await answer.json().catch(() => undefined)) as ErrorEnvelope | undefined
    if (body?.error?.code === undefined) return CUT
    const now = Date.now()
    const challenge = answer.headers.get('www-authenticate')
    const said = {
      opensAt: null,
      closesAt: null,
      challenge,
      isCancelled: false,
      serverNow: new Date(now),
      localNowMs: now,
    }
    const refusal = refusalOf(body.error.code, said)
    if (refusal.page === 'unavailable') return cut
    // The link was valid when this page entered, so it is the ticket that has expired.
    return { kind: 'ended', refusal: refusal.page === BAD_LINK.page ? LOST : refusal }
  }
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

function endOf({ name, data }: LiveEvent): Refusal | undefined {
  if (name === 'closed') return data.reason === 'window_ended' ? OVER : CLOSED
  if (name !== 'removed') return undefined
  return REMOVALS[data.reason]
}

/** Not every browser can iterate a body. */
export async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  if (reader === undefined) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Calls back after this much silence. */
export function watchSilence(maxMs: number, onSilence: () => void) {
  let timer = setTimeout(onSilence, maxMs)
  return {
    heard: () => {
      clearTimeout(timer)
      timer = setTimeout(onSilence, maxMs)
    },
    stop: () => clearTimeout(timer),
  }
}
