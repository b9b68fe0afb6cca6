import type {
  BoardEvents,
  HelpAnswerBody,
  BoardEntryTokenBody,
} from '@interview-room/contract/board.ts'
import { createParser } from 'eventsource-parser'
import { chunksOf, watchSilence } from '../connection/live-stream.ts'
import { backoffMs } from '../live/backoff.ts'
import { createLiveRequest, type LiveAnswer } from '../live/live-request.ts'
import { type BoardEvent, type BoardState, nextState } from './board-state.ts'

const BASE = '/api/v1/board'
/** The service sends a heartbeat every 5 s. */
const SILENCE_MAX_MS = 16_000

/** The board. Holds its state outside of the view, and follows the service automatically. */
export class BoardConnection {
  readonly #token: string
  readonly #request
  readonly #listeners = new Set<() => void>()
  #state: BoardState = { phase: 'loading', hasFailed: false }
  #wake = () => {}

  constructor(token: string) {
    this.#token = token
    this.#request = createLiveRequest(BASE, () => token)
  }

  readonly getState = (): BoardState => this.#state

  /** The current time on the service's clock. */
  nowMs(): number {
    const offsetMs = 'board' in this.#state ? this.#state.clockOffsetMs : 0
    return performance.now() + offsetMs
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves when the link stops being valid for the board. */
  async follow(): Promise<void> {
    let failures = 0
    for (;;) {
      const wasOpen = await this.#read()
      if (this.getState().phase === 'over') return
      this.#apply({ type: 'cut' })
      failures = wasOpen ? 0 : failures + 1
      await this.#pause(backoffMs(failures, Math.random()))
    }
  }

  /** The network is back: try immediately. */
  tryNow(): void {
    this.#wake()
  }

  issueEntryToken(roomId: string): Promise<LiveAnswer<BoardEntryTokenBody>> {
    return this.#request<'issueBoardEntryToken'>('POST', `/rooms/${roomId}/pass`)
  }

  answerHelp(roomId: string): Promise<LiveAnswer<HelpAnswerBody>> {
    return this.#request<'answerHelp'>('POST', `/rooms/${roomId}/help/answer`)
  }

  async #pause(delayMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Reads until the stream is cut. False if none was opened. */
  async #read(): Promise<boolean> {
    const attempt = new AbortController()
    const silence = watchSilence(SILENCE_MAX_MS, () => attempt.abort())
    let wasOpen = false
    try {
      const answer = await fetch(`${BASE}/stream`, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${this.#token}` },
        cache: 'no-store',
        signal: attempt.signal,
      })
      if (answer.status === 401) this.#apply({ type: 'over' })
      if (!answer.ok) return false
      wasOpen = true
      await this.#notifyAll(answer, silence.heard)
    } catch {
      // No network, silence and a broken connection are all retried.
    } finally {
      silence.stop()
    }
    return wasOpen
  }

  async #notifyAll(answer: Response, onByte: () => void): Promise<void> {
    const parser = createParser({
      onEvent: ({ event, data }) => {
        const localNowMs = performance.now()
        if (event === 'board') {
          this.#apply({ type: 'board', board: JSON.parse(data), localNowMs })
        } else if (event === 'rooms') {
          const changes = JSON.parse(data) as BoardEvents['rooms']
          this.#apply({ type: 'rooms', changes, localNowMs })
        }
      },
    })
    const text = new TextDecoder()
    for await (const bytes of chunksOf(answer)) {
      onByte()
      parser.feed(text.decode(bytes, { stream: true }))
    }
  }

  #apply(event: BoardEvent): void {
    this.#state = nextState(this.#state, event)
    for (const listener of this.#listeners) listener()
  }
}
