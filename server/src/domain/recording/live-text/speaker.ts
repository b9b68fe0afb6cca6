import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../platform/lib/clock.ts'
import type { LiveEngine, LiveStream, LiveText } from '../../../platform/ports/live-engine.ts'
import { SAMPLE_RATE, SpeechGate } from './speech-gate.ts'

/** Calls of `tick` a second. */
export const TICKS_PER_SEC = 10
/**
 * No packets for half a second are silence: a microphone was muted, or its browser sends none while nobody speaks. Networks falter
 * for a shorter time, and a process that was busy has one tick before it hears what waits.
 */
const QUIET_TICKS = TICKS_PER_SEC / 2
/** A stream in which nothing is said for this long ends. The next word opens another one. */
const IDLE_MS = 30_000
/** Pause before another stream, after one that has failed. */
const RETRY_MS = 1000
/** An engine may still say something about utterances this far back. */
const TURNS_KEPT = 50

/** A text with the times of the room. */
export interface SpokenText {
  /** Unique in the room; translations share that of their original. */
  segment: string
  text: string
  isFinal: boolean
  language: string
  isTranslation: boolean
  startedAt: Date
  endedAt: Date
}

/** How a stream ended that did not fail; `closed`: what was being said is of no interest any more. */
type StreamEnd = 'ended' | 'closed'

interface SpeakerOptions {
  open: LiveEngine['open']
  language: string
  translateTo: string | null
  clock: Clock
  said: (text: SpokenText) => void
  streamEnded: (how: StreamEnd) => void
  failed: (error: Error) => void
}

/** Speech passes in one piece from here on. */
interface Turn {
  /** Place in the sound that was pushed. */
  fromSec: number
  atMs: number
}

interface OpenStream {
  id: string
  stream: LiveStream
  over: AbortController
  turns: Turn[]
  pushed: number
}

/** The speech of one person on its way to an engine, and the texts on their way back. */
export class Speaker {
  readonly #options: SpeakerOptions
  #gate = new SpeechGate()
  #open: OpenStream | undefined
  /** Streams that were told to end, and may still say something. */
  readonly #ending = new Set<OpenStream>()
  /** Ticks since the last packet. */
  #quietTicks = 0
  #spokenAtMs = 0
  #retryAtMs = 0

  constructor(options: SpeakerOptions) {
    this.#options = options
  }

  hear(pcm: Int16Array): void {
    const nowMs = performance.now()
    this.#quietTicks = 0
    const wasOpen = this.#gate.isOpen
    const passing = this.#gate.push(pcm)
    if (passing.length === 0) return
    this.#spokenAtMs = nowMs
    const open = this.#open ?? this.#begin(nowMs)
    if (open === undefined) return
    if (!wasOpen || open.turns.length === 0) this.#noteTurn(open, passing)
    for (const each of passing) this.#push(open, each)
  }

  /** Call it `TICKS_PER_SEC` times a second. */
  tick(): void {
    const nowMs = performance.now()
    this.#quietTicks += 1
    if (this.#gate.isOpen && this.#quietTicks >= QUIET_TICKS) {
      const silence = this.#gate.end()
      if (this.#open !== undefined && silence.length > 0) this.#push(this.#open, silence)
    }
    if (!this.#gate.isOpen && nowMs - this.#spokenAtMs > IDLE_MS) this.end()
  }

  /** Ends the stream; what was said still becomes text. */
  end(): void {
    const open = this.#open
    if (open === undefined) return
    this.#open = undefined
    this.#ending.add(open)
    this.#guarded(open, () => open.stream.end())
  }

  /** Ends everything immediately. Nothing becomes text any more. */
  close(): void {
    const all = [...this.#ending, ...(this.#open === undefined ? [] : [this.#open])]
    this.#open = undefined
    this.#ending.clear()
    this.#gate = new SpeechGate()
    for (const open of all) {
      open.over.abort(new Error('no longer wanted'))
      this.#options.streamEnded('closed')
    }
  }

  /** True while an engine may still say something. */
  get isPending(): boolean {
    return this.#open !== undefined || this.#ending.size > 0
  }

  #begin(nowMs: number): OpenStream | undefined {
    if (nowMs < this.#retryAtMs) return undefined
    const { language, translateTo } = this.#options
    const over = new AbortController()
    const open = { id: randomUUID(), over, turns: [], pushed: 0 } as Omit<OpenStream, 'stream'>
    const sink = {
      text: (text: LiveText) => {
        if (!over.signal.aborted) this.#options.said(this.#timed(open, text))
      },
      ended: (error: Error | null) => this.#ended(open, error),
    }
    const options = { language, translateTo, signal: over.signal }
    return this.#guarded(open, () => {
      this.#open = Object.assign(open, { stream: this.#options.open(options, sink) })
      return this.#open
    })
  }

  #push(open: OpenStream, pcm: Int16Array): void {
    this.#guarded(open, () => open.stream.push(pcm))
    open.pushed += pcm.length
  }

  /** An engine that throws has failed, and must not end the process that listens to all rooms. */
  #guarded<T>(open: Omit<OpenStream, 'stream'>, act: () => T): T | undefined {
    try {
      return act()
    } catch (error) {
      this.#ended(open, error instanceof Error ? error : new Error(String(error)))
      return undefined
    }
  }

  #ended(open: Omit<OpenStream, 'stream'>, error: Error | null): void {
    if (open.over.signal.aborted) return
    open.over.abort(new Error('the stream has ended'))
    if (this.#open?.id === open.id) this.#open = undefined
    for (const each of this.#ending) if (each.id === open.id) this.#ending.delete(each)
    if (error === null) return this.#options.streamEnded('ended')
    this.#retryAtMs = performance.now() + RETRY_MS
    this.#options.failed(error)
  }

  #noteTurn(open: OpenStream, passing: readonly Int16Array[]): void {
    const length = passing.reduce((sum, each) => sum + each.length, 0)
    const atMs = this.#options.clock().getTime() - (length / SAMPLE_RATE) * 1000
    open.turns.push({ fromSec: open.pushed / SAMPLE_RATE, atMs })
    if (open.turns.length > TURNS_KEPT) open.turns.shift()
  }

  #timed({ id, turns }: Omit<OpenStream, 'stream'>, heard: LiveText): SpokenText {
    const { segment, text, isFinal, language, isTranslation, startSec, endSec } = heard
    return {
      segment: `${id}-${segment}`,
      text,
      isFinal,
      language,
      isTranslation,
      startedAt: timeOf(turns, startSec),
      endedAt: timeOf(turns, Math.max(startSec, endSec)),
    }
  }
}

/** The time of a place in the pushed sound, by the turn that it belongs to. */
function timeOf(turns: readonly Turn[], sec: number): Date {
  const turn = turns.findLast(({ fromSec }) => fromSec <= sec) ?? turns[0]
  return turn === undefined ? new Date(0) : new Date(turn.atMs + (sec - turn.fromSec) * 1000)
}
