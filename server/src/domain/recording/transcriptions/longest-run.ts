import type { Word } from './engines/word.ts'
import { normalOf } from './tokens.ts'

/** A sequence that two hearings have in common, by its start in each. */
export interface Run {
  left: number
  right: number
  length: number
}

/** Largest distance between hearings of a long run: lines have a start, but their words have no times. */
const RUN_DRIFT_SEC = 3
const RUN_MIN_CHARACTERS = 10
/** More than anybody says in an overlap. It bounds the work for an engine that returns more. */
const TOKENS_MAX = 1000

interface Token {
  normal: string
  middleSec: number
}

type Found = Run & {
  /** Total characters of its words. */
  characters: number
  /** Mean distance between the two hearings of a word. */
  apartSec: number
}

export const middleOf = ({ startSec, endSec }: Word) => (startSec + endSec) / 2
const tokenOf = (word: Word): Token => ({ normal: normalOf(word.text), middleSec: middleOf(word) })

/**
 * The longest common run whose times agree. Returns undefined without one. A run of only a word or two may be at most this
 * many seconds apart.
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

/** A short run may be a repetition, so its times must be close. */
function isCredible({ length, characters, apartSec }: Found, driftSec: number): boolean {
  return length > 0 && (characters >= RUN_MIN_CHARACTERS || apartSec <= driftSec)
}

/** Among repetitions of one word, prefer the run whose times match best. */
const worthOf = ({ characters, apartSec }: Found) => characters / (1 + apartSec)
