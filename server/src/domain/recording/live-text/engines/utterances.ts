import type { LiveSink } from '../../../../platform/ports/live-engine.ts'
import { plain } from '../../transcriptions/check-words.ts'

/** A part of what was said, with its spaces. Times are in seconds of the sound; null where the engine gives none. */
export interface Piece {
  text: string
  startSec: number | null
  endSec: number | null
}

interface Span {
  startSec: number
  endSec: number
}

interface Listener {
  language: string
  translateTo: string | null
  /** Seconds of sound that the engine has had. */
  heardSec: () => number
  emit: LiveSink['text']
}

/** Longest speech in one segment, so that a failed engine leaves no more than this to be heard again. */
const SEGMENT_MAX_SEC = 5
const TEXT_MAX = 5_000
const ROUNDING_SEC = 0.1
/** Segments whose translation may still come. */
const REMEMBERED = 50
/** Begins a word, so that a segment may end before it. */
const BEGINS_WORD = /^(\s|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])/u

/**
 * Makes the texts of a stream: a segment for each utterance, whose partial texts replace each other until a final one.
 * Adapters report what an engine confirmed, what it still guesses, and where an utterance ended.
 */
export class Utterances {
  readonly #listener: Listener
  readonly #spans = new Map<number, Span>()
  /** Confirmed translations of segments that have no final one yet. */
  readonly #translations = new Map<number, string>()
  #segment = 0
  #said = ''
  #startSec: number | null = null
  #endSec = 0
  #shown = ''
  #isGuessing = false
  /** The segment of what was confirmed last. */
  #latest = 0
  #translated = -1
  #shownTranslation = ''

  constructor(listener: Listener) {
    this.#listener = listener
  }

  /** The segment that is being spoken. */
  get segment(): number {
    return this.#segment
  }

  get latest(): number {
    return this.#latest
  }

  /** Adds what does not change any more. Call `guess` or `end` afterwards. */
  confirm(piece: Piece): void {
    const isLong = this.#endSec - (this.#startSec ?? this.#endSec) >= SEGMENT_MAX_SEC
    if (isLong && (BEGINS_WORD.test(piece.text) || /\s$/.test(this.#said))) this.end()
    this.#time(piece)
    this.#said += piece.text
    if (piece.text.trim() !== '') this.#latest = this.#segment
  }

  /** Shows what was confirmed and what may follow, which replaces the guess before. */
  guess(pieces: readonly Piece[]): void {
    const text = cleaned(this.#said + pieces.map((piece) => piece.text).join(''))
    this.#isGuessing = pieces.some((piece) => piece.text.trim() !== '')
    if (text === this.#shown) return
    const startSec = this.#startSec ?? this.#clamped(pieces[0]?.startSec ?? this.#endSec)
    const endSec = this.#clamped(pieces.at(-1)?.endSec ?? this.#endSec)
    this.#shown = text
    this.#emit(text, { startSec, endSec: Math.max(startSec, endSec) })
  }

  /** Ends the utterance: what was confirmed is its final text. */
  end(): void {
    const text = cleaned(this.#said)
    // Takes back what was only guessed.
    if (text === '') return this.guess([])
    const startSec = this.#startSec ?? this.#endSec
    const span = { startSec, endSec: Math.max(startSec, this.#endSec) }
    this.#spans.set(this.#segment, span)
    this.#spans.delete(this.#segment - REMEMBERED)
    this.#emit(text, span, true)
    this.#segment += 1
    this.#said = ''
    this.#startSec = null
    this.#shown = ''
    this.#isGuessing = false
  }

  /** Nothing more comes for now. Ends what is confirmed, and translations of what has ended. */
  settle(): void {
    if (!this.#isGuessing) this.end()
    for (const segment of this.#translations.keys()) {
      if (segment < this.#segment) this.endTranslation(segment)
    }
  }

  /** The segment in which a time lies. */
  segmentAt(sec: number): number {
    for (const [segment, { endSec }] of this.#spans) if (sec < endSec) return segment
    return this.#segment
  }

  /** The segment has its final text, and nothing of it comes after this time. */
  isOverAt(segment: number, sec: number): boolean {
    const span = this.#spans.get(segment)
    return span !== undefined && span.endSec <= sec + ROUNDING_SEC
  }

  /** Adds to the translation of a segment. Its final text comes with `endTranslation`, or when that of a later one begins. */
  translate(segment: number, text: string): void {
    if (this.#listener.translateTo === null) return
    // A late text for a translation that has ended belongs to the next one.
    const own = Math.max(segment, this.#translated + 1)
    for (const other of this.#translations.keys()) if (other < own) this.endTranslation(other)
    this.#translations.set(own, (this.#translations.get(own) ?? '') + text)
  }

  /** Shows the translation of a segment, and what may follow. */
  guessTranslation(segment: number, text: string): void {
    if (this.#listener.translateTo === null) return
    const own = Math.max(segment, this.#translated + 1)
    const shown = cleaned((this.#translations.get(own) ?? '') + text)
    if (shown === '' || shown === this.#shownTranslation) return
    this.#shownTranslation = shown
    this.#emitTranslation(own, shown, false)
  }

  endTranslation(segment: number): void {
    const text = cleaned(this.#translations.get(segment) ?? '')
    this.#translations.delete(segment)
    if (text === '') return
    this.#translated = Math.max(this.#translated, segment)
    this.#shownTranslation = ''
    this.#emitTranslation(segment, text, true)
  }

  #time({ startSec, endSec }: Piece): void {
    const start = this.#clamped(startSec ?? this.#endSec)
    this.#startSec ??= start
    this.#endSec = Math.max(start, this.#clamped(endSec ?? start))
  }

  /** Inside of the sound, because engines round times and count silence after the end. */
  #clamped(sec: number): number {
    return Math.min(Math.max(0, sec), this.#listener.heardSec())
  }

  #emit(text: string, span: Span, isFinal = false): void {
    const { language, emit } = this.#listener
    emit({ segment: this.#segment, text, isFinal, ...span, language, isTranslation: false })
  }

  #emitTranslation(segment: number, text: string, isFinal: boolean): void {
    const { translateTo, emit } = this.#listener
    if (translateTo === null) return
    const open = { startSec: this.#startSec ?? this.#endSec, endSec: this.#endSec }
    const span = this.#spans.get(segment) ?? open
    emit({ segment, text, isFinal, ...span, language: translateTo, isTranslation: true })
  }
}

function cleaned(text: string): string {
  return plain(text).replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_MAX).toWellFormed()
}
