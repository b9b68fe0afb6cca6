import { diffArrays } from 'diff'
import { following, type Word } from './engines/word.ts'
import { normalOf, tokensOf } from './tokens.ts'

interface Line {
  text: string
  startSec: number
  endSec: number
}

/** A piece of a heard word. */
type Token = Word & { source: number }

/** More differences are one change. A cue has 80 letters. */
const LIMIT = { maxEditLength: 200 }

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

/** For each new text the index of the old one that it is. Where too much was changed, none is. */
function keptOf(after: string[], before: string[]): (number | undefined)[] {
  const kept: (number | undefined)[] = []
  let old = 0
  for (const { added, removed, count } of diffArrays(before, after, LIMIT) ?? []) {
    const indices = Array.from({ length: removed ? 0 : count }, (_, at) => old + at)
    kept.push(...indices.map((index) => (added ? undefined : index)))
    if (!added) old += count
  }
  return kept
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
