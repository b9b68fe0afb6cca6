import type { Word } from './word.ts'

/** The words of a part, in seconds of the whole audio. */
export interface HeardPart {
  words: readonly Word[]
  startSec: number
  endSec: number
  seamSec: number
}

/** How far two hearings of the same word may lie apart. */
const DRIFT_SEC = 0.6

/**
 * The words of parts that follow and overlap each other. At a seam both parts heard the same words:
 * it is laid behind one that both have, so that none is lost or doubled although their times
 * differ a little. Where they agree in none, it is laid where the parts were cut.
 */
export function joinParts(parts: readonly HeardPart[]): Word[] {
  let joined: Word[] = []
  for (const part of parts) joined = joinTwo(joined, part)
  return joined
}

function joinTwo(before: readonly Word[], part: HeardPart): Word[] {
  const { words, seamSec } = part
  const shared = sharedWord(before, part)
  if (shared !== undefined) {
    return [...before.slice(0, shared.left + 1), ...words.slice(shared.right + 1)]
  }
  return [
    ...before.filter((word) => middleOf(word) < seamSec),
    ...words.filter((word) => middleOf(word) >= seamSec),
  ]
}

/** The pair nearest to the seam, of those that lie nearest to each other in time. */
function sharedWord(
  before: readonly Word[],
  { words, startSec, seamSec }: HeardPart,
): { left: number; right: number } | undefined {
  const endSec = 2 * seamSec - startSec
  let best: { left: number; right: number; far: number } | undefined
  for (const [right, word] of words.entries()) {
    if (middleOf(word) > endSec + DRIFT_SEC) break
    const left = nearestAlike(before, word, startSec)
    if (left === undefined) continue
    const far = Math.abs(middleOf(word) - seamSec)
    if (best === undefined || far < best.far) best = { left, right, far }
  }
  return best
}

function nearestAlike(before: readonly Word[], word: Word, startSec: number): number | undefined {
  const wanted = normalOf(word.text)
  let best: { index: number; apart: number } | undefined
  for (let index = before.length - 1; index >= 0; index--) {
    const other = before[index]
    if (other === undefined || other.endSec < startSec - DRIFT_SEC) break
    const apart = Math.abs(middleOf(other) - middleOf(word))
    if (apart > DRIFT_SEC || normalOf(other.text) !== wanted) continue
    if (best === undefined || apart < best.apart) best = { index, apart }
  }
  return best?.index
}

const middleOf = ({ startSec, endSec }: Word) => (startSec + endSec) / 2
const normalOf = (text: string) => text.toLowerCase().replaceAll(/[\p{P}\s]/gu, '')
