import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

const LINES_MAX = 20
const LINE_MAX = 300

/** The last lines that a program wrote, without addresses and paths: these open or name files. */
export function lastLines(stream: Readable): () => readonly string[] {
  const lines: string[] = []
  createInterface({ input: stream }).on('line', (line) => {
    lines.push(withoutPlaces(line).slice(0, LINE_MAX))
    if (lines.length > LINES_MAX) lines.shift()
  })
  return () => lines
}

function withoutPlaces(line: string): string {
  return line
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s'"]+/gi, '<address>')
    .replaceAll(/(?:\/[^\s'":/]+){2,}/g, '<path>')
}
