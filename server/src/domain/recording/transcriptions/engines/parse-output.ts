import { invalidResult } from './engine.ts'
import { listAt, numberAt, parseJson, secondsAt, textAt } from './read-fields.ts'
import { type HeardWord, spaced } from './word.ts'

const CLOCK = String.raw`(?:(\d+):)?(\d{1,2}):(\d{1,2})[.,](\d{3})`
/** A line of times in WebVTT or SRT, or a line of whisper.cpp's console with its text after the times. */
const TIMES = new RegExp(String.raw`^\[?${CLOCK}\s+-->\s+${CLOCK}(?:\]\s*(.*)|(?:\s.*)?)$`)

/**
 * The output of pocketsphinx with `-time yes`: a line where speech begins, and for each word a line with the pronunciation,
 * the times and the confidence.
 */
const HEARD_SPEECH = /^<s> \d/m
const HEARD_WORD = /^([\p{L}'][^\s(]*)(?:\(\d+\))? (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/gmu

/**
 * Parses the output of a program: WebVTT, SRT, JSON, lines of `[from --> to] text`, or the words of pocketsphinx. Throws
 * `result_invalid`.
 */
export function parseOutput(output: string, language: string): readonly HeardWord[] {
  const text = output
    .replace(/^\ufeff/, '')
    .replaceAll(/\r\n?/g, '\n')
    .trim()
  if (text.startsWith('{')) return spaced(linesIn(jsonOf(text)), language)
  return spaced(HEARD_SPEECH.test(text) ? [heardIn(text)] : cuesIn(text), language)
}

function heardIn(text: string): HeardWord[] {
  return [...text.matchAll(HEARD_WORD)].map(([, said = '', start, end, confidence]) => ({
    text: said,
    startSec: Number(start),
    endSec: Number(end),
    speaker: null,
    confidence: Number(confidence),
  }))
}

/** Words; or segments; or the output of whisper.cpp with `--output-json`, in milliseconds. */
function linesIn(given: unknown): HeardWord[][] {
  const words = listAt(given, 'words')
  if (words && words.length > 0) return [words.map((word) => timed(word, 'word'))]
  const segments = listAt(given, 'segments')
  if (segments) return segments.map((segment) => [timed(segment, 'text')])
  const lines = listAt(given, 'transcription')
  if (lines) return lines.map((line) => [ofWhisperCpp(line)])
  if (words) return []
  throw invalidResult('the program printed JSON of another form')
}

function timed(line: unknown, name: 'text' | 'word'): HeardWord {
  return {
    text: textAt(line, name),
    startSec: numberAt(line, 'start'),
    endSec: numberAt(line, 'end'),
    speaker: textAt(line, 'speaker'),
    confidence: numberAt(line, 'confidence') ?? numberAt(line, 'probability'),
  }
}

function ofWhisperCpp(line: unknown): HeardWord {
  return {
    text: textAt(line, 'text'),
    startSec: secondsAt(line, 'offsets', 'from'),
    endSec: secondsAt(line, 'offsets', 'to'),
    speaker: null,
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw invalidResult('the program printed what is no JSON')
  }
}

function cuesIn(text: string): HeardWord[][] {
  const lines: HeardWord[][] = []
  let cue: { start: number; end: number; lines: string[] } | undefined
  const finish = () => {
    if (cue === undefined) return
    const { speaker, said } = voiceOf(cue.lines.join(' '))
    lines.push([{ text: said, startSec: cue.start, endSec: cue.end, speaker }])
    cue = undefined
  }
  for (const line of text.split('\n')) {
    const times = TIMES.exec(line.trim())
    if (times !== null) {
      finish()
      const [start, end] = [secondsOf(times.slice(1, 5)), secondsOf(times.slice(5, 9))]
      cue = { start, end, lines: times[9] === undefined ? [] : [times[9]] }
    } else if (line.trim() === '') finish()
    else if (cue !== undefined) cue.lines.push(line.trim())
  }
  finish()
  const isSilence = text === '' || /^WEBVTT(\s|$)/.test(text)
  if (lines.length === 0 && !isSilence) throw invalidResult('the program printed no transcript')
  return lines
}

function secondsOf([hours = '0', minutes, seconds, ms]: (string | undefined)[]): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(ms) / 1000
}

/** Removes tags. The first voice tag names the speaker. */
function voiceOf(text: string): { speaker: string | null; said: string } {
  const speaker = /<v(?:\.[^\s>]*)?\s+([^>]+)>/.exec(text)?.[1] ?? null
  const said = unescape(text.replaceAll(/<[^>]*>/g, '')).trim()
  return { speaker: speaker === null ? null : unescape(speaker), said }
}

function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
