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

interface Cue extends Caption {
  speaker: string | null
  role: string | null
}

/**
 * Writes the words as WebVTT, without BOM. Each stream is one audio. Cues of several streams are in order of time, and
 * overlap where people spoke at the same time. Silence gives only the header.
 */
export function writeWebvtt(streams: readonly (readonly VoicedWord[])[]): string {
  const cues = streams
    .flatMap(cuesOf)
    .toSorted((a, b) => a.startSec - b.startSec || a.endSec - b.endSec)
  return ['WEBVTT\n', ...noteOf(streams.flat()), ...cues.map(writeCue)].join('\n')
}

type VoicedWord = Word & { participantId?: string | null }

/** Says which participants the voices are, for programs. */
function noteOf(words: readonly VoicedWord[]): string[] {
  const ids = new Map<string, string>()
  for (const { speaker, role = null, participantId = null } of words) {
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

function cuesOf(words: readonly Word[]): Cue[] {
  const cues: Cue[] = []
  let group: Word[] = []
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
function wholeWords(pieces: readonly Word[]): Word[] {
  const words: Word[] = []
  for (const piece of pieces) {
    const last = words.at(-1)
    if (last === undefined || !isPieceOf(last, piece)) words.push(piece)
    else words.splice(-1, 1, joined(last, piece))
  }
  return words
}

function joined(before: Word, after: Word): Word {
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

function cueOf(group: readonly Word[]): Cue[] {
  const [first] = group
  const lines = linesOf(textOf(group))
  if (first === undefined || lines.length === 0) return []
  const { startSec, speaker, role = null } = first
  const latest = Math.max(...group.map(({ endSec }) => endSec))
  const endSec = Math.min(latest, startSec + CUE_MAX_SEC)
  return [{ startSec, endSec, speaker, role, lines }]
}

const textOf = (group: readonly Word[]) =>
  group
    .map(({ text }) => text)
    .join('')
    .trim()

/** Splits a long line of an engine into pieces that fit into a cue, each with its share of the time. */
function splitLong(word: Word): Word[] {
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

function writeCue({ startSec, endSec, speaker, role, lines }: Cue): string {
  const text = lines.map(escapeText).join('\n')
  const voice = voiceOf(speaker, role)
  const voiced = voice === undefined ? text : `${voice}${text}</v>`
  const startMs = Math.round(startSec * 1000)
  // Rounding must not make a cue without length.
  const endMs = Math.max(Math.round(endSec * 1000), startMs + 1)
  return `${timeOf(startMs)} --> ${timeOf(endMs)}\n${voiced}\n`
}

/** The tag of a voice. Returns undefined without a name. */
function voiceOf(speaker: string | null, role: string | null): string | undefined {
  if (speaker === null || speaker.trim() === '') return undefined
  return `<v${role === null ? '' : `.${role}`} ${nameOf(speaker)}>`
}

const two = (value: number) => String(Math.floor(value)).padStart(2, '0')

function timeOf(ms: number): string {
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
