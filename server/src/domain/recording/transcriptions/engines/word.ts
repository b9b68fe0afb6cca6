/** A word, or a whole line from an engine that returns no words. */
export interface Word {
  /** Includes the preceding space, in languages that use spaces. */
  text: string
  /** From the beginning of the audio, in seconds. */
  startSec: number
  endSec: number
  /** The speaker's name; null if unknown. */
  speaker: string | null
  /** The engine's own, from 0 to 1; null from engines that give none. */
  confidence?: number | null
  /** The speaker's role in the room. Only for recordings with a file for each person. */
  role?: string | null
}

/** A word as an engine answered it. What is missing or has a wrong type is null. */
export interface HeardWord {
  text: string | null
  startSec: number | null
  endSec: number | null
  speaker: string | null
  confidence?: number | null
}

/** Languages without spaces between words. */
const UNSPACED = new Set(['ja-JP', 'zh-CN', 'zh-TW', 'th-TH'])
const ENDS_LATIN = /[\p{Script=Latin}\p{Nd}][.,!?;:%)"'’”]*$/u
const BEGINS_LATIN = /^[("'“‘$#@&]*[\p{Script=Latin}\p{Nd}]/u

/** A word as it follows another one in a language. Latin words and numbers have spaces between them in every language. */
export function following(text: string, before: string, language: string): string {
  const isSpaced = !UNSPACED.has(language) || (ENDS_LATIN.test(before) && BEGINS_LATIN.test(text))
  return isSpaced ? ` ${text}` : text
}

/** Gives the words of each line their spaces, unless the words of a line carry their own. */
export function spaced(
  lines: readonly (readonly HeardWord[])[],
  language: string,
): readonly HeardWord[] {
  let before = ''
  return lines.flatMap((line) => {
    const areSpaced = line.some(({ text }, index) => index > 0 && text?.startsWith(' '))
    return line.map((word, index) => {
      if (word.text === null || word.text.trim() === '') return word
      const isKept = areSpaced && index > 0
      const text = isKept ? word.text : following(word.text.trim(), before, language)
      before = text
      return { ...word, text }
    })
  })
}
