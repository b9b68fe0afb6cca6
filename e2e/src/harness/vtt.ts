import webvtt, { type ParsedVtt, type VttCue } from 'webvtt-parser'

/** As the W3C's validator reads it. */
export function readCues(vtt: string): ParsedVtt {
  return new webvtt.WebVTTParser().parse(vtt, 'subtitles/captions/descriptions')
}

export interface Voice {
  name: string
  classes: string[]
  text: string
}

/** Who speaks in a cue, and what; the validator leaves names as they are written. */
export function voicesOf({ tree }: VttCue): Voice[] {
  return tree.children
    .filter(({ name }) => name === 'v')
    .map(({ value, classes = [], children }) => ({
      name: unescape(value),
      classes,
      text: children.map((child) => child.value).join(' '),
    }))
}

function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
