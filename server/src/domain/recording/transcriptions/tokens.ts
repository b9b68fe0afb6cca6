import { graphemesOf } from './caption-lines.ts'
import type { Word } from './engines/word.ts'

/** Languages without spaces are compared character by character. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Normalises a word so that two hearings of it compare as equal. */
export function normalOf(text: string): string {
  return text.toLowerCase().replaceAll(/[\p{P}\p{S}\s]/gu, '')
}

/**
 * Splits words into the smallest comparable pieces, each with its share of the time: words, or characters. Punctuation
 * belongs to the piece before it.
 */
export function tokensOf<T extends Word>(words: readonly T[]): T[] {
  const tokens: T[] = []
  for (const token of words.flatMap(split)) {
    const last = tokens.at(-1)
    if (normalOf(token.text) !== '' || last === undefined) tokens.push(token)
    else tokens.splice(-1, 1, { ...last, text: last.text + token.text })
  }
  return tokens
}

function split<T extends Word>(word: T): T[] {
  const pieces = (word.text.match(/\s*\S+/g) ?? []).flatMap((piece) =>
    UNSPACED.test(piece) ? charactersOf(piece) : [piece],
  )
  if (pieces.length <= 1) return [word]
  const perChar = (word.endSec - word.startSec) / pieces.join('').length
  let from = word.startSec
  return pieces.map((text) => {
    const startSec = from
    from += perChar * text.length
    return { ...word, text, startSec, endSec: from }
  })
}

/** A space stays with the text after it. */
function charactersOf(text: string): string[] {
  const [first = '', ...others] = graphemesOf(text.trimStart())
  return [text.slice(0, text.length - text.trimStart().length) + first, ...others]
}
