import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { invalidResult } from './engines/engine.ts'
import type { Word } from './engines/word.ts'

const WORDS_MAX = 500_000
const TEXT_MAX = 5_000
/** Engines round times, and may count silence after the end. */
const SLACK_SEC = 60
/** A word with a longer negative length makes the result invalid. */
const BACKWARDS_MAX_SEC = 0.25

const Words = Type.Array(
  Type.Object({
    text: Type.String({ maxLength: TEXT_MAX }),
    startSec: Type.Number({ minimum: 0 }),
    endSec: Type.Number({ minimum: 0 }),
    speaker: Type.Union([Type.String({ maxLength: 255 }), Type.Null()]),
  }),
  { maxItems: WORDS_MAX },
)

/**
 * Validates an engine's result for an audio of this length. Returns the words in order of time, without empty ones. Whisper
 * sometimes ends a word slightly before it begins; such a word gets a length of zero. Throws `result_invalid` for an
 * impossible result.
 */
export function checkWords(given: readonly Word[], durationSec: number): Word[] {
  const isAudio =
    Value.Check(Words, given) &&
    given.every(({ startSec, endSec }) => {
      const isForward = startSec - endSec <= BACKWARDS_MAX_SEC
      return isForward && Math.max(startSec, endSec) <= durationSec + SLACK_SEC
    })
  if (!isAudio) throw invalidResult('the engine answered words that cannot be of this audio')
  return given
    .map((word) => ({
      ...word,
      endSec: Math.max(word.startSec, word.endSec),
      text: plain(word.text),
      speaker: word.speaker === null ? null : plain(word.speaker),
    }))
    .filter(({ text }) => text.trim() !== '')
    .toSorted((a, b) => a.startSec - b.startSec)
}

/** One line of well-formed text. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
}
