import type { TranscriptLine } from '@interview-room/contract/transcripts.ts'
import {
  graphemesOf,
  isOneWord,
  LINE_MAX,
  LINES_MAX,
  linesOf,
  mayBreakBetween,
  widthOf,
} from './caption-lines.ts'
import type { Word } from './engines/word.ts'

const CUE_MAX_SEC = 7
/** Times of lines are in whole milliseconds. */
const ROUNDING_SEC = 0.002
/** A pause of this length starts a new cue. */
const PAUSE_SEC = 1.5
/** A cue of this length may end with its sentence. */
const SENTENCE_MIN = LINE_MAX / 2
const CARRIED_MAX = 4

/** Text that is shown for a while. */
export interface Caption {
  startSec: number
  endSec: number
  lines: string[]
}

interface Voice {
  speaker: string | null
  role: string | null
  participantId: string | null
}

/** A caption with the person who speaks, and the text before it was broken into lines. */
export interface Cue extends Caption, Voice {
  text: string
}

type VoicedWord = Word & { participantId?: string | null }

/**
 * Makes cues of words. Each stream is one audio. Cues of several streams are in order of time, and overlap where people
 * spoke at the same time.
 */
export function cuesOf(streams: readonly (readonly VoicedWord[])[]): Cue[] {
  return streams.flatMap(cuesOfStream).toSorted(byTime)
}

/** A line that somebody corrected. */
export interface CorrectedLine {
  startSec: number
  endSec: number
  words: VoicedWord[]
}

/** Makes a cue of each line that fits into one, and several of the others. */
export function cuesOfLines(lines: readonly CorrectedLine[]): Cue[] {
  return lines
    .flatMap(({ startSec, endSec, words }) => {
      const isLong = endSec - startSec > CUE_MAX_SEC + ROUNDING_SEC || !isCaption(words)
      if (isLong) return cuesOfStream(words)
      return cueOf(words).map((cue) => ({ ...cue, startSec, endSec }))
    })
    .toSorted(byTime)
}

const byTime = (a: Caption, b: Caption) => a.startSec - b.startSec || a.endSec - b.endSec

/** Writes cues as WebVTT, without BOM. Silence gives only the header. */
export function writeWebvtt(cues: readonly Cue[]): string {
  return ['WEBVTT\n', ...noteOf(cues), ...cues.map(writeCue)].join('\n')
}

/** Says which participants the voices are, for programs. */
function noteOf(cues: readonly Voice[]): string[] {
  const ids = new Map<string, string>()
  for (const { speaker, role, participantId } of cues) {
    const voice = voiceOf(speaker, role)
    if (participantId === null || voice === undefined) continue
    ids.set(participantId, `${voice} ${participantId}`)
  }
  return ids.size === 0 ? [] : [`NOTE\n${[...ids.values()].join('\n')}\n`]
}

/** Reads what `writeWebvtt` wrote, without the speakers. */
export function readCaptions(file: string): Caption[] {
  return file.split('\n\n').flatMap((block) => {
    const [times = '', ...lines] = block.trim().split('\n')
    const [, startSec, endSec] = (/^(\S+) --> (\S+)$/.exec(times) ?? []).map(secondsOf)
    if (startSec === undefined || endSec === undefined) return []
    return [{ startSec, endSec, lines: lines.map(plainOf) }]
  })
}

function secondsOf(time: string): number {
  return time.split(':').reduce((sec, part) => 60 * sec + Number(part), 0)
}

function plainOf(line: string): string {
  const text = line.replaceAll(/<[^>]*>/g, '')
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Writes captions as WebVTT, without speakers. */
export function writeCaptions(captions: readonly Caption[]): string {
  const nobody = { speaker: null, role: null }
  return ['WEBVTT\n', ...captions.map((each) => writeCue({ ...each, ...nobody }))].join('\n')
}

function cuesOfStream(words: readonly VoicedWord[]): Cue[] {
  const cues: Cue[] = []
  let group: VoicedWord[] = []
  for (const word of wholeWords(words.flatMap(splitLong))) {
    if (!fits(group, word)) {
      const kept = keptOf(group, word)
      cues.push(...cueOf(group.slice(0, kept)))
      group = group.slice(kept)
    }
    group.push(word)
  }
  return [...cues, ...cueOf(group)]
}

/** Joins the pieces in which some engines return words, so that no cue ends inside a word. */
function wholeWords(pieces: readonly VoicedWord[]): VoicedWord[] {
  const words: VoicedWord[] = []
  for (const piece of pieces) {
    const last = words.at(-1)
    if (last === undefined || !isPieceOf(last, piece)) words.push(piece)
    else words.splice(-1, 1, joined(last, piece))
  }
  return words
}

function joined(before: VoicedWord, after: VoicedWord): VoicedWord {
  const endSec = Math.max(before.endSec, after.endSec)
  return { ...before, text: before.text + after.text, endSec }
}

function isPieceOf(before: Word, after: Word): boolean {
  return (
    before.speaker === after.speaker &&
    after.startSec - before.endSec < PAUSE_SEC &&
    isOneWord(before.text, after.text)
  )
}

function fits(group: readonly Word[], word: Word): boolean {
  const [first] = group
  const last = group.at(-1)
  if (first === undefined || last === undefined) return true
  const text = textOf(group)
  return (
    word.speaker === first.speaker &&
    word.startSec - last.endSec < PAUSE_SEC &&
    word.endSec - first.startSec <= CUE_MAX_SEC &&
    !(widthOf(text) >= SENTENCE_MIN && /[.!?。！？]$/.test(text)) &&
    isCaption([...group, word])
  )
}

const isCaption = (group: readonly Word[]) => linesOf(textOf(group)).length <= LINES_MAX

/** Number of words that end the cue. Words that belong to the following ones go into the next cue. */
function keptOf(group: readonly Word[], next: Word): number {
  for (let kept = group.length; kept > Math.max(1, group.length - CARRIED_MAX); kept -= 1) {
    if (!fits(group.slice(kept), next)) break
    // Without the words after them, these may break into more lines.
    if (!isCaption(group.slice(0, kept))) continue
    if (mayBreakBetween(group[kept - 1]?.text ?? '', (group[kept] ?? next).text)) return kept
  }
  return group.length
}

function cueOf(group: readonly VoicedWord[]): Cue[] {
  const [first] = group
  const text = textOf(group)
  const lines = linesOf(text)
  if (first === undefined || lines.length === 0) return []
  const { startSec, speaker, role = null, participantId = null } = first
  const latest = Math.max(...group.map(({ endSec }) => endSec))
  const endSec = Math.min(latest, startSec + CUE_MAX_SEC)
  return [{ startSec, endSec, speaker, role, participantId, text, lines }]
}

const textOf = (group: readonly Word[]) =>
  group
    .map(({ text }) => text)
    .join('')
    .trim()

/** Splits a long line of an engine into pieces that fit into a cue, each with its share of the time. */
function splitLong(word: VoicedWord): VoicedWord[] {
  const { text, startSec, endSec } = word
  const durationSec = endSec - startSec
  const isShort = durationSec <= CUE_MAX_SEC && linesOf(text).length <= LINES_MAX
  const pieces = isShort ? [text] : piecesOf(text)
  if (pieces.length <= 1) return [word]
  const total = widthOf(text)
  let before = 0
  return pieces.map((piece) => {
    const from = startSec + (durationSec * before) / total
    before += widthOf(piece)
    const to = startSec + (durationSec * before) / total
    return { ...word, text: piece, startSec: from, endSec: to }
  })
}

/** Words in text with spaces, otherwise characters. */
const piecesOf = (text: string) =>
  (text.match(/\s*\S+/g) ?? []).flatMap((piece) =>
    widthOf(piece.trim()) > LINE_MAX || /[\u3000-\u9fff\uf900-\uffef\u0e00-\u0e7f]/.test(piece)
      ? graphemesOf(piece)
      : [piece],
  )

function writeCue({
  speaker,
  role,
  lines,
  ...times
}: Caption & Omit<Voice, 'participantId'>): string {
  const text = lines.map(escapeText).join('\n')
  const voice = voiceOf(speaker, role)
  const voiced = voice === undefined ? text : `${voice}${text}</v>`
  const { startMs, endMs } = inMs(times)
  return `${timeOf(startMs)} --> ${timeOf(endMs)}\n${voiced}\n`
}

function inMs({ startSec, endSec }: Pick<Caption, 'startSec' | 'endSec'>) {
  const startMs = Math.round(startSec * 1000)
  // Rounding must not make a cue without length.
  return { startMs, endMs: Math.max(Math.round(endSec * 1000), startMs + 1) }
}

/** The cue as a line of the transcript, with the times that it has as WebVTT. */
export function lineOf(cue: Cue): TranscriptLine {
  const { startMs, endMs } = inMs(cue)
  return {
    start_sec: startMs / 1000,
    end_sec: endMs / 1000,
    text: cue.text,
    participant_id: cue.participantId,
    speaker: cue.speaker,
    role: cue.role as TranscriptLine['role'],
  }
}

/** The tag of a voice. Returns undefined without a name. */
function voiceOf(speaker: string | null, role: string | null): string | undefined {
  if (speaker === null || speaker.trim() === '') return undefined
  return `<v${role === null ? '' : `.${role}`} ${nameOf(speaker)}>`
}

const two = (value: number) => String(Math.floor(value)).padStart(2, '0')

export function timeOf(ms: number): string {
  const whole = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map(two).join(':')
  return `${whole}.${String(ms % 1000).padStart(3, '0')}`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function nameOf(speaker: string): string {
  return escapeText(
    speaker
      .toWellFormed()
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  )
}
