import type {
  TranscriptLine,
  TranscriptLineRequest,
  TranscriptWord,
} from '@interview-room/contract/transcripts.ts'
import type { NamedPerson } from '../../people/read-people.ts'
import { alignWords } from './align-words.ts'
import type { Word } from './engines/word.ts'
import type { CorrectedLine } from './webvtt.ts'
import type { SpokenWord } from './words-file.ts'

/** Stored times are rounded to milliseconds. */
const ROUNDING_SEC = 0.0015

interface Sources {
  /** The transcript before. */
  heard: { lines: readonly TranscriptLine[]; words: readonly TranscriptWord[] }
  people: ReadonlyMap<string, NamedPerson>
  language: string
}

type Line = CorrectedLine & { words: SpokenWord[] }

/** Gives lines their words: those of the transcript before, and new ones for what was changed. */
export function correctLines(
  lines: readonly TranscriptLineRequest[],
  { heard, people, language }: Sources,
): Line[] {
  const before = Map.groupBy(heard.lines, timesOf)
  const wordsOf = wordsByVoice(heard.words)
  const said = lines.filter(({ text }) => text.trim() !== '')
  return said.map((line) => {
    const person = people.get(line.participant_id ?? '')
    const voice = {
      participantId: person?.id ?? null,
      speaker: person?.name ?? line.speaker ?? null,
      role: person?.role ?? null,
    }
    // People who speak at the same time may have lines with the same times.
    const same = before.get(timesOf(line)) ?? []
    const old = same.find(({ text }) => text === line.text) ?? same.find(isOf(voice)) ?? same[0]
    const words = wordsOf(old ?? { ...line, ...voice, participant_id: voice.participantId })
    const isUnchanged = textOf(words) === line.text
    const { text, start_sec: startSec, end_sec: endSec } = line
    const spoken = isUnchanged ? words : alignWords({ text, startSec, endSec }, words, language)
    return { startSec, endSec, words: spoken.map((word) => ({ ...word, ...voice })) }
  })
}

type Times = Pick<TranscriptLine, 'start_sec' | 'end_sec'>
type Voice = Pick<TranscriptLine, 'participant_id' | 'speaker'>

const timesOf = ({ start_sec, end_sec }: Times) => `${start_sec} ${end_sec}`
const keyOf = ({ participant_id, speaker }: Voice) => participant_id ?? `voice ${speaker}`
const isOf =
  ({ participantId, speaker }: { participantId: string | null; speaker: string | null }) =>
  (line: Voice) =>
    keyOf(line) === keyOf({ participant_id: participantId, speaker })
const textOf = (words: readonly Word[]) =>
  words
    .map(({ text }) => text)
    .join('')
    .trim()

/**
 * Finds the words of a line: those that its voice begins within its times. An erasure takes people from lines, and not from
 * words, so that a line without words of its voice has those of anybody who says the same.
 */
function wordsByVoice(words: readonly TranscriptWord[]) {
  const byVoice = Map.groupBy(words, keyOf)
  return (line: Times & Voice & { text: string }): Word[] => {
    const own = wordsWithin(byVoice.get(keyOf(line)) ?? [], line)
    if (own.length > 0) return own
    const all = [...byVoice.values()].map((theirs) => wordsWithin(theirs, line))
    return all.find((theirs) => textOf(theirs) === line.text) ?? []
  }
}

function wordsWithin(words: readonly TranscriptWord[], { start_sec, end_sec }: Times): Word[] {
  const found: Word[] = []
  for (let at = firstFrom(words, start_sec - ROUNDING_SEC); at < words.length; at += 1) {
    const word = words[at]
    if (word === undefined || word.start_sec > end_sec - ROUNDING_SEC) break
    found.push({
      text: word.text,
      startSec: word.start_sec,
      endSec: word.end_sec,
      speaker: word.speaker,
      confidence: word.confidence,
    })
  }
  return found
}

/** The index of the first word that begins at this time or later. */
function firstFrom(words: readonly TranscriptWord[], sec: number): number {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((words[middle]?.start_sec ?? Infinity) < sec) low = middle + 1
    else high = middle
  }
  return low
}
