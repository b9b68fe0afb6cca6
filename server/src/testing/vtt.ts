// @ts-expect-error The package brings no types.
import webvtt from 'webvtt-parser'

interface Node {
  /** Of an object; `v` for a voice. */
  name?: string
  classes?: string[]
  value: string
  children: Node[]
}

interface Cue {
  startTime: number
  endTime: number
  text: string
  tree: { children: Node[] }
}

interface ParsedFile {
  cues: Cue[]
  /** Whatever a file that conforms must not have. */
  errors: { message: string; line: number }[]
}

interface Validator {
  parse(text: string, kind: string): ParsedFile
}

const { WebVTTParser } = webvtt as { WebVTTParser: new () => Validator }

/** As the W3C's validator reads it. */
export function readCues(vtt: string): ParsedFile {
  return new WebVTTParser().parse(vtt, 'subtitles/captions/descriptions')
}

interface Voice {
  name: string
  classes: string[]
  text: string
}

/** Who speaks in a cue, and what; the validator leaves names as they are written. */
export function voicesOf({ tree }: Cue): Voice[] {
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
