// @ts-expect-error The package brings no types.
import webvtt from 'webvtt-parser'

interface Node {
  /** Name of a tag; `v` for a voice. */
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
  /** Errors, which a valid file does not have. */
  errors: { message: string; line: number }[]
}

interface Validator {
  parse(text: string, kind: string): ParsedFile
}

const { WebVTTParser } = webvtt as { WebVTTParser: new () => Validator }

/** Parses a file as the W3C's validator does. */
export function readCues(vtt: string): ParsedFile {
  return new WebVTTParser().parse(vtt, 'subtitles/captions/descriptions')
}

interface Voice {
  name: string
  classes: string[]
  text: string
}

/** The speakers of a cue with their texts. The validator leaves names escaped. */
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
