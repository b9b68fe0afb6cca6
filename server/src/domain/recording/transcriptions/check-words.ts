import type { Logger } from 'pino'
import { invalidResult } from './engines/engine.ts'
import type { HeardWord, Word } from './engines/word.ts'

const WORDS_MAX = 500_000
const TEXT_MAX = 5_000
const SPEAKER_MAX = 255
/** Engines round times, and may count silence after the end. */
const SLACK_SEC = 60
/** Whisper sometimes ends a word this much before it begins; such a word gets a length of zero. */
const BACKWARDS_MAX_SEC = 0.25
/** The longest word whose end is a guess. */
const GUESS_MAX_SEC = 5
/** The share of an answer that may be unusable. One word never costs the others. */
const UNUSABLE_MAX = 0.1

interface Times {
  startSec: number | null
  endSec: number | null
}

/**
 * Makes words in order of time of what an engine answered for an audio of this length. A word with an odd time is clamped
 * or gets its neighbours' times; a word of another audio, or among words without times, is dropped. Throws `result_invalid`
 * if more than a tenth is dropped. Logs counts, and no text.
 */
export function checkWords(
  given: readonly HeardWord[],
  { durationSec, log }: { durationSec: number; log: Pick<Logger, 'warn'> },
): Word[] {
  if (given.length > WORDS_MAX) throw invalidResult('the engine answered more than anybody says')
  const said = given.flatMap((word) => {
    const text = plain(word.text ?? '')
    return text.trim() === '' ? [] : [{ ...word, text }]
  })
  const placed = said.flatMap((word) => {
    const times = timesOf(word, durationSec)
    return times === undefined || word.text.length > TEXT_MAX ? [] : [{ ...word, ...times }]
  })
  const areTimed = placed.some(({ startSec, endSec }) => startSec !== null || endSec !== null)
  const usable = areTimed ? withTimes(placed, durationSec) : []
  const dropped = said.length - usable.length
  const guessed = placed.filter(({ startSec, endSec }) => startSec === null || endSec === null)
  if (dropped > 0 || guessed.length > 0) {
    const counts = { words: said.length, dropped, guessed: guessed.length }
    log.warn(counts, 'odd words in the answer of an engine')
  }
  const isLost = usable.length === 0 && said.length > 0
  if (isLost || dropped > Math.max(1, said.length * UNUSABLE_MAX)) {
    throw invalidResult('the engine answered words that cannot be of this audio')
  }
  return usable.toSorted((a, b) => a.startSec - b.startSec)
}

/** The word's own times, with null for one that is to be guessed. Undefined for a word outside of the audio. */
function timesOf({ startSec: start, endSec: end }: Times, durationSec: number): Times | undefined {
  const isOutside = (sec: number | null) =>
    sec !== null && (sec < -SLACK_SEC || sec > durationSec + SLACK_SEC)
  const own = (sec: number | null) =>
    sec === null || !Number.isFinite(sec) || isOutside(sec) ? null : Math.max(0, sec)
  const [startSec, endSec] = [own(start), own(end)]
  if (startSec === null && endSec === null) {
    return isOutside(start) || isOutside(end) ? undefined : { startSec, endSec }
  }
  if (startSec === null || endSec === null || endSec >= startSec) return { startSec, endSec }
  return { startSec, endSec: startSec - endSec <= BACKWARDS_MAX_SEC ? startSec : null }
}

/** A missing start is the end of the word before; a missing end is the start of the next one. */
function withTimes(
  words: readonly (HeardWord & Times & { text: string })[],
  durationSec: number,
): Word[] {
  let before = 0
  return words.map(({ speaker, confidence, ...word }, index) => {
    const startSec = word.startSec ?? Math.min(before, word.endSec ?? before)
    const nextSec = words[index + 1]?.startSec ?? durationSec
    const untilSec = nextSec >= startSec ? nextSec : durationSec
    const endSec = word.endSec ?? Math.max(startSec, Math.min(untilSec, startSec + GUESS_MAX_SEC))
    before = endSec
    return {
      text: word.text,
      startSec,
      endSec,
      speaker: speaker === null || speaker.length > SPEAKER_MAX ? null : plain(speaker),
      confidence: shareOf(confidence ?? null),
    }
  })
}

const shareOf = (value: number | null) =>
  value !== null && value >= 0 && value <= 1 ? value : null

/** One line of well-formed text. */
export function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
}
