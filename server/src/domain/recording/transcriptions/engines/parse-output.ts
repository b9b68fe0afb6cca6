import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { invalidResult } from './engine.ts'
import { following, type Word } from './word.ts'

const Speaker = { speaker: Type.Optional(Type.Union([Type.String(), Type.Null()])) }
const Timed = { start: Type.Number(), end: Type.Number(), ...Speaker }
const Segments = Type.Object({
  segments: Type.Array(Type.Object({ ...Timed, text: Type.String() })),
})
const Words = Type.Object({ words: Type.Array(Type.Object({ ...Timed, word: Type.String() })) })
/** The output of whisper.cpp with `--output-json`, in milliseconds. */
const Offsets = Type.Object({
  transcription: Type.Array(
    Type.Object({
      text: Type.String(),
      offsets: Type.Object({ from: Type.Number(), to: Type.Number() }),
    }),
  ),
})

const CLOCK = String.raw`(?:(\d+):)?(\d{1,2}):(\d{1,2})[.,](\d{3})`
/** A line of times in WebVTT or SRT, or a line of whisper.cpp's console with its text after the times. */
const TIMES = new RegExp(String.raw`^\[?${CLOCK}\s+-->\s+${CLOCK}(?:\]\s*(.*)|(?:\s.*)?)$`)

/**
 * The output of pocketsphinx with `-time yes`: a line where speech begins, and for each word a line with the pronunciation,
 * the times and the confidence.
 */
const HEARD_SPEECH = /^<s> \d/m
const HEARD_WORD = /^([\p{L}'][^\s(]*)(?:\(\d+\))? (\d+\.\d+) (\d+\.\d+) \d+\.\d+$/gmu

/**
 * Parses the output of a program: WebVTT, SRT, JSON, lines of `[from --> to] text`, or the words of pocketsphinx. Throws
 * `result_invalid`.
 */
export function parseOutput(output: string, language: string): Word[] {
  const text = output
    .replace(/^\ufeff/, '')
    .replaceAll(/\r\n?/g, '\n')
    .trim()
  if (text.startsWith('{')) return parseJson(text, language)
  if (HEARD_SPEECH.test(text)) return parseHeard(text, language)
  return parseCues(text, language)
}

function parseHeard(text: string, language: string): Word[] {
  return [...text.matchAll(HEARD_WORD)].map(([, said = '', start, end]) =>
    wordOf(following(said, language), { start: Number(start), end: Number(end) }),
  )
}

function parseJson(text: string, language: string): Word[] {
  const given = jsonOf(text)
  const next = (said: string) => following(said.trim(), language)
  if (Value.Check(Words, given)) {
    return given.words.map(({ word, ...times }) => wordOf(next(word), times))
  }
  if (Value.Check(Segments, given)) {
    return given.segments.map(({ text: said, ...times }) => wordOf(next(said), times))
  }
  if (Value.Check(Offsets, given)) {
    return given.transcription.map(({ text: said, offsets: { from, to } }) =>
      wordOf(next(said), { start: from / 1000, end: to / 1000 }),
    )
  }
  throw invalidResult('the program printed JSON of another form')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidResult('the program printed what is no JSON')
  }
}

function parseCues(text: string, language: string): Word[] {
  const words: Word[] = []
  let cue: { start: number; end: number; lines: string[] } | undefined
  const finish = () => {
    if (cue === undefined) return
    const { speaker, said } = voiceOf(cue.lines.join(' '))
    words.push(wordOf(following(said, language), { ...cue, speaker }))
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
  if (words.length === 0 && !isSilence) throw invalidResult('the program printed no transcript')
  return words
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

function wordOf(
  text: string,
  { start, end, speaker }: { start: number; end: number; speaker?: string | null | undefined },
): Word {
  return { text, startSec: start, endSec: end, speaker: speaker ?? null }
}
