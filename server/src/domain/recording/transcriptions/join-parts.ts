import type { Word } from './engines/word.ts'
import { longestRun, middleOf } from './longest-run.ts'
import { tokensOf } from './tokens.ts'

/** The words of a part, in seconds of the whole audio. */
export interface HeardPart {
  words: readonly Word[]
  startSec: number
  endSec: number
  seamSec: number
}

/** Largest distance between two hearings of the same word. */
const DRIFT_MAX_SEC = 0.6

/**
 * Joins the words of consecutive parts, which overlap. Both parts heard the words in the overlap, so the seam goes into
 * their longest common run. Then no word is lost or repeated, although times and lines differ. Without a common run, the
 * seam is where the audio was cut.
 */
export function joinParts(parts: readonly HeardPart[]): Word[] {
  let joined: Word[] = []
  let heardUntilSec = 0
  for (const part of parts) {
    joined = joinTwo(joined, part, heardUntilSec)
    heardUntilSec = part.endSec
  }
  return joined
}

function joinTwo(before: readonly Word[], part: HeardPart, heardUntilSec: number): Word[] {
  const { words, startSec, seamSec } = part
  const driftSec = Math.min(DRIFT_MAX_SEC, (heardUntilSec - startSec) / 2)
  const isOld = ({ endSec }: Word) => endSec < startSec - driftSec
  const isShared = (word: Word) => word.startSec <= heardUntilSec + driftSec
  // Only lines that reach into the overlap are compared word by word. The others stay whole.
  const [oldLines, leftLines] = divide(before, isOld)
  const [rightLines, newLines] = divide(words, isShared)
  const [oldTokens, left] = divide(tokensOf(leftLines), isOld)
  const [right, newTokens] = divide(tokensOf(rightLines), isShared)
  const overlap = joinOverlap(left, right, { seamSec, driftSec })
  return [...oldLines, ...oldTokens, ...overlap, ...newTokens, ...newLines]
}

/** Splits words, which are in order of time, after the first ones that match. */
function divide(words: readonly Word[], isFirst: (word: Word) => boolean): [Word[], Word[]] {
  const index = words.findIndex((word) => !isFirst(word))
  return index === -1 ? [[...words], []] : [words.slice(0, index), words.slice(index)]
}

function joinOverlap(
  left: readonly Word[],
  right: readonly Word[],
  { seamSec, driftSec }: { seamSec: number; driftSec: number },
): Word[] {
  const run = longestRun(left, right, driftSec)
  if (run === undefined) return joinAtSeam(left, right, seamSec)
  const shared = right.slice(run.right, run.right + run.length)
  const farOf = (word: Word) => Math.abs(middleOf(word) - seamSec)
  const nearest = Math.min(...shared.map(farOf))
  const cut = shared.findIndex((word) => farOf(word) === nearest)
  return [...left.slice(0, run.left + cut + 1), ...right.slice(run.right + cut + 1)]
}

/** Each part's words count on its side of the seam, and also where the other part heard nothing. */
function joinAtSeam(left: readonly Word[], right: readonly Word[], seamSec: number): Word[] {
  const leftEndSec = left.at(-1)?.endSec ?? 0
  const rightStartSec = right[0]?.startSec ?? Number.POSITIVE_INFINITY
  return [
    ...left.filter((word) => middleOf(word) < seamSec || word.endSec <= rightStartSec),
    ...right.filter((word) => middleOf(word) >= seamSec || word.startSec >= leftEndSec),
  ]
}
