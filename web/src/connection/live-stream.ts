import type { ErrorEnvelope } from '@interview-room/contract/errors.ts'
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
  url: string
  /** Returns the current room ticket. */
  ticket: () => string
  on: {
    state(state: StreamState): void
    event(event: LiveEvent): void
    /** Called with the last event. */
    ended(refusal: Refusal): void
  }
  silenceMaxMs?: number
  random?: () => number
}

type Outcome = { kind: 'cut'; wasOpen: boolean } | { kind: 'ended'; refusal: Refusal }

/**
 * Reads the live stream of a room until it ends or is closed. It uses `fetch`, because an EventSource cannot send the
 * ticket. After an interruption it resumes from the last event received.
 */
export class LiveStream {
  readonly #options: LiveStreamOptions
  #lastId = ''
  #lastByteAtMs = 0
  #isClosed = false
  #attempt = new AbortController()
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
      const outcome = await this.#read()
      if (this.#isClosed) return
      if (outcome.kind === 'ended') {
        this.close()
        return this.#options.on.ended(outcome.refusal)
      }
      this.#options.on.state('reconnecting')
      if (outcome.wasOpen) failures = 0
      await this.#pause(backoffMs(failures, (this.#options.random ?? Math.random)()))
      failures += 1
    }
  }

  /** The network or the page is back. Retries immediately, and drops a connection that may be dead. */
  refresh({ isNewNetwork }: { isNewNetwork: boolean }): void {
    // Uses the wall clock, because the monotonic one stands still in many browsers while the machine sleeps.
    const isStale = Date.now() - this.#lastByteAtMs > STALE_AFTER_MS
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
      const timer = setTimeout(resolve, delayMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => {}
  }

  async #read(): Promise<Outcome> {
    const attempt = new AbortController()
    this.#attempt = attempt
    this.#isHurried = false
    const silence = watchSilence(this.#options.silenceMaxMs ?? SILENCE_MAX_MS, () =>
      attempt.abort(),
    )
    const ticket = this.#options.ticket()
    let wasOpen = false
    try {
      const answer = await fetch(this.#options.url, {
        headers: this.#headers(ticket),
        cache: 'no-store',
        signal: attempt.signal,
      })
      if (!answer.ok) return await this.#refused(answer, ticket)
      wasOpen = true
      this.#options.on.state('live')
      const last = await this.#notifyAll(answer, silence.heard)
      if (last !== undefined) return { kind: 'ended', refusal: last }
    } catch {
      // No network, silence and a broken connection are all retried.
    } finally {
      silence.stop()
    }
    return { kind: 'cut', wasOpen }
  }

  #headers(ticket: string): Record<string, string> {
    return {
      accept: 'text/event-stream',
      authorization: `Bearer ${ticket}`,
      ...(this.#lastId === '' ? {} : { 'last-event-id': this.#lastId }),
    }
  }

  /** Returns the reason to leave if the last event gave one. */
  async #notifyAll(answer: Response, onByte: () => void): Promise<Refusal | undefined> {
    let last: Refusal | undefined
    const parser = createParser({
      onEvent: (event) => {
        if (last === undefined) last = this.#deliver(event)
      },
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

  #deliver({ event: name, data, id }: EventSourceMessage): Refusal | undefined {
    if (this.#isClosed || name === undefined || !Object.hasOwn(NAMES, name)) return undefined
    const event = { name, data: JSON.parse(data) } as LiveEvent
    this.#options.on.event(event)
    if (id !== undefined) this.#lastId = id
    return endOf(event)
  }

  async #refused(answer: Response, ticket: string): Promise<Outcome> {
    const cut: Outcome = { kind: 'cut', wasOpen: false }
    // The ticket was renewed during the request.
    if (answer.status === 401 && ticket !== this.#options.ticket()) return cut
    const body = (await answer.json()) as ErrorEnvelope
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
