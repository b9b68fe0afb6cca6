import type { Word } from './engines/word.ts'
import { normalOf } from './tokens.ts'

/** A sequence that two hearings have in common, by where it begins in each. */
export interface Run {
  left: number
  right: number
  length: number
}

/** How far hearings of a long run may lie apart: lines have a beginning, but no times of their words. */
const RUN_DRIFT_SEC = 3
const RUN_MIN_CHARACTERS = 10
/** Nobody says more in an overlap; an engine that returns more must not keep us busy. */
const TOKENS_MAX = 1000

interface Token {
  normal: string
  middleSec: number
}

type Found = Run & {
  /** Of all its words. */
  characters: number
  /** Between the two hearings of a word, on the mean. */
  apartSec: number
}

export const middleOf = ({ startSec, endSec }: Word) => (startSec + endSec) / 2
const tokenOf = (word: Word): Token => ({ normal: normalOf(word.text), middleSec: middleOf(word) })

/**
 * The longest that both heard, of those whose times agree; undefined where they agree in nothing.
 * Two hearings of a word or two, and nothing else, may lie so many seconds apart.
 */
export function longestRun(
  left: readonly Word[],
  right: readonly Word[],
  driftSec: number,
): Run | undefined {
  if (Math.max(left.length, right.length) > TOKENS_MAX) return undefined
  const heard = { left: left.map(tokenOf), right: right.map(tokenOf) }
  let best: Found | undefined
  for (const from of left.keys()) {
    for (const to of right.keys()) {
      const found = runFrom(heard, { left: from, right: to })
      if (isCredible(found, driftSec) && (best === undefined || worthOf(found) > worthOf(best)))
        best = found
    }
  }
  return best
}

function runFrom(
  heard: { left: readonly Token[]; right: readonly Token[] },
  from: { left: number; right: number },
): Found {
  let [length, characters, apartSec] = [0, 0, 0]
  for (;;) {
    const [one, other] = [heard.left[from.left + length], heard.right[from.right + length]]
    if (one === undefined || one.normal === '' || one.normal !== other?.normal) break
    const apart = Math.abs(one.middleSec - other.middleSec)
    if (apart > RUN_DRIFT_SEC) break
    length += 1
    characters += one.normal.length
    apartSec += apart
  }
  return { ...from, length, characters, apartSec: apartSec / Math.max(1, length) }
}

/** What is short may be said again soon. */
function isCredible({ length, characters, apartSec }: Found, driftSec: number): boolean {
  return length > 0 && (characters >= RUN_MIN_CHARACTERS || apartSec <= driftSec)
}

/** Of a word that is said again and again, the hearings at the same time are the same. */
const worthOf = ({ characters, apartSec }: Found) => characters / (1 + apartSec)
