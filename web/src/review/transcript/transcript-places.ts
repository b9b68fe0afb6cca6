import { folded } from '../../design/marked-pieces.ts'
import type { TranscriptLine } from '../../player/vtt.ts'

/** The index of the line that is being spoken, or of the last one before. -1 before the first. */
export function lineAt(lines: readonly TranscriptLine[], sec: number): number {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((lines[middle]?.startSec ?? Infinity) <= sec + ROUNDING_SEC) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Players round positions. A line that was sought must be the current one. */
const ROUNDING_SEC = 0.05
/** A press within this time goes to the line before, and not to the start of the same one. */
const AGAIN_SEC = 1

/** The start of the sentence before or after this position. */
export function sentenceFrom(
  lines: readonly TranscriptLine[],
  sec: number,
  step: 1 | -1,
): number | undefined {
  const at = lineAt(lines, sec)
  if (step > 0) return lines[at + 1]?.startSec
  const start = lines[at]?.startSec
  const isAtStart = start === undefined || sec - start < AGAIN_SEC
  return lines[isAtStart ? Math.max(0, at - 1) : at]?.startSec
}

/** The indexes of the folded texts that contain the words. */
export function hitsOf(texts: readonly string[], words: string): number[] {
  const wanted = folded(words.trim())
  if (wanted === '') return []
  return texts.flatMap((text, index) => (text.includes(wanted) ? [index] : []))
}

/** From the first word of the lines to their last one. */
export function rangeOf(
  lines: readonly TranscriptLine[],
): { startSec: number; endSec: number } | null {
  const [first] = lines
  if (first === undefined) return null
  return {
    startSec: Math.min(...lines.map(({ startSec }) => startSec)),
    endSec: Math.max(...lines.map(({ endSec }) => endSec)),
  }
}
