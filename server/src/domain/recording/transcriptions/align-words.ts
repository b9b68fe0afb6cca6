import { following, type Word } from './engines/word.ts'
import { normalOf, tokensOf } from './tokens.ts'

interface Line {
  text: string
  startSec: number
  endSec: number
}

/** A piece of a heard word. */
type Token = Word & { source: number }

/** Differences beyond this many comparisons are one change. A cue of 80 letters needs a tenth. */
const COMPARISONS_MAX = 40_000

/**
 * Gives the words of a corrected line their times. Words that were heard keep theirs, and changed ones share the time
 * between their unchanged neighbours. `heard` are the words of the line before, in order of time.
 */
export function alignWords(line: Line, heard: readonly Word[], language: string): Word[] {
  const before = piecesOf(heard)
  const said = { ...line, text: following(line.text.trim(), '', language), speaker: null }
  const after = tokensOf([said])
  const kept = keptOf(
    after.map(({ text }) => normalOf(text)),
    before.map(({ text }) => normalOf(text)),
  )
  const tokens = after.map(({ text }, index): Token | { text: string } => {
    const same = before[kept[index] ?? -1]
    return same === undefined ? { text } : { ...same, text }
  })
  return joined(withTimes(tokens, line))
}

/** Comparable pieces. The last one of a word ends with it, also when punctuation has been joined to it. */
function piecesOf(heard: readonly Word[]): Token[] {
  const pieces = tokensOf(heard.map((word, source) => ({ ...word, source })))
  return pieces.map((piece, at) => {
    const isLast = pieces[at + 1]?.source !== piece.source
    return isLast ? { ...piece, endSec: heard[piece.source]?.endSec ?? piece.endSec } : piece
  })
}

/** For each new text the index of the old one that it is, by their longest common subsequence. */
function keptOf(after: readonly string[], before: readonly string[]): (number | undefined)[] {
  let from = 0
  while (from < Math.min(after.length, before.length) && after[from] === before[from]) from += 1
  let same = 0
  while (
    same < Math.min(after.length, before.length) - from &&
    after.at(-1 - same) === before.at(-1 - same)
  ) {
    same += 1
  }
  const middle = commonOf(
    after.slice(from, after.length - same),
    before.slice(from, before.length - same),
  )
  return after.map((_text, index) => {
    if (index < from) return index
    const fromEnd = after.length - index
    if (fromEnd <= same) return before.length - fromEnd
    const found = middle.get(index - from)
    return found === undefined ? undefined : found + from
  })
}

function commonOf(after: readonly string[], before: readonly string[]): Map<number, number> {
  const pairs = new Map<number, number>()
  if (after.length * before.length > COMPARISONS_MAX) return pairs
  const width = before.length + 1
  // The length of the longest common subsequence of what follows two places.
  const lengths = new Uint16Array((after.length + 1) * width)
  const lengthAt = (one: number, other: number) => lengths[one * width + other] ?? 0
  for (let one = after.length - 1; one >= 0; one -= 1) {
    for (let other = before.length - 1; other >= 0; other -= 1) {
      lengths[one * width + other] =
        after[one] === before[other]
          ? lengthAt(one + 1, other + 1) + 1
          : Math.max(lengthAt(one + 1, other), lengthAt(one, other + 1))
    }
  }
  let [one, other] = [0, 0]
  while (one < after.length && other < before.length) {
    if (after[one] === before[other]) pairs.set(one++, other++)
    else if (lengthAt(one + 1, other) >= lengthAt(one, other + 1)) one += 1
    else other += 1
  }
  return pairs
}

/** Changed tokens share the time between the unchanged ones around them, by their length. */
function withTimes(tokens: readonly (Token | { text: string })[], line: Line): Token[] {
  const timed: Token[] = []
  let changed: string[] = []
  let fromSec = line.startSec
  const share = (untilSec: number) => {
    const perChar = Math.max(0, untilSec - fromSec) / Math.max(1, changed.join('').length)
    for (const text of changed) {
      const startSec = fromSec
      fromSec += perChar * text.length
      timed.push({ text, startSec, endSec: fromSec, speaker: null, source: -1 })
    }
    changed = []
  }
  for (const token of tokens) {
    if ('source' in token) {
      share(token.startSec)
      timed.push(token)
      fromSec = token.endSec
    } else changed.push(token.text)
  }
  share(line.endSec)
  return timed
}

/** Joins the pieces of one heard word, and changed text without spaces, to words again. */
function joined(tokens: readonly Token[]): Word[] {
  const words: Token[] = []
  for (const token of tokens) {
    const last = words.at(-1)
    if (last?.source === token.source && !/^\s/.test(token.text)) {
      words.splice(-1, 1, { ...last, text: last.text + token.text, endSec: token.endSec })
    } else words.push(token)
  }
  return words.map(({ source: _source, ...word }) => word)
}
