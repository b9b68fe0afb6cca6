export interface TranscriptLine {
  startSec: number
  endSec: number
  /** The name of the voice. Null if the file names none. */
  speaker: string | null
  text: string
  /** The participant who speaks. Absent from files. */
  personId?: string | null
}

/** A line with its place in the file, which stays when others are left out. */
export interface NumberedLine extends TranscriptLine {
  id: number
}

const TIMES = /^(?:(\d+):)?(\d{1,2}):(\d{2})\.(\d{3})\s+-->\s+(?:(\d+):)?(\d{1,2}):(\d{2})\.(\d{3})/
/** `<v.moderator Sato>`: classes are no part of the name. */
const VOICE = /^<v(?:\.[^\s>]*)?(?:\s+([^>]*))?>/
const TAG = /<[^>]*>/g
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u{a0}',
  lrm: '\u{200e}',
  rlm: '\u{200f}',
  quot: '"',
  apos: "'",
}

/** The cues of a WebVTT file in order. Headers, notes and styles are no cues. */
export function parseVtt(file: string): TranscriptLine[] {
  const blocks = file
    .replace(/^\u{feff}/u, '')
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n(?:[ \t]*\n)+/)
  return blocks.flatMap(lineOf).toSorted((one, other) => one.startSec - other.startSec)
}

function lineOf(block: string): TranscriptLine[] {
  const rows = block.split('\n')
  // An identifier may stand before the times.
  const at = rows.slice(0, 2).findIndex((row) => TIMES.test(row))
  const times = TIMES.exec(rows[at] ?? '')
  if (times === null) return []
  const content = rows
    .slice(at + 1)
    .join('\n')
    .trim()
  const text = decoded(content.replaceAll(TAG, '')).trim()
  if (text === '') return []
  const speaker = decoded(VOICE.exec(content)?.[1] ?? '').trim()
  return [
    {
      startSec: secondsOf(times, 1),
      endSec: secondsOf(times, 5),
      speaker: speaker === '' ? null : speaker,
      text,
    },
  ]
}

function secondsOf(times: RegExpExecArray, from: number): number {
  const [hours = 0, minutes = 0, seconds = 0, ms = 0] = times
    .slice(from, from + 4)
    .map((each: string | undefined) => Number(each ?? 0))
  return hours * 3600 + minutes * 60 + seconds + ms / 1000
}

function decoded(text: string): string {
  return text
    .replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/&#(\d+);/g, (_, code: string) => characterOf(Number(code)))
    .replaceAll(/&#x([\da-f]+);/gi, (_, code: string) => characterOf(Number.parseInt(code, 16)))
}

const characterOf = (code: number) =>
  code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
