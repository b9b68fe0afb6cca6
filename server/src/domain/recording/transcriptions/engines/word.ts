/** A word, or a whole line of an engine that returns no words. */
export interface Word {
  /** With the space that stands before it, where its language has one. */
  text: string
  /** From the beginning of the audio, in seconds. */
  startSec: number
  endSec: number
  /** Who speaks; null when that is not known. */
  speaker: string | null
  /** Of the speaker in the room; only where each has a file. */
  role?: string | null
}

/** Languages that put no space between words. */
const UNSPACED = new Set(['ja-JP', 'zh-CN', 'zh-TW', 'th-TH'])

/** A word as it follows upon another one in a language. */
export function following(text: string, language: string): string {
  return UNSPACED.has(language) ? text : ` ${text}`
}
