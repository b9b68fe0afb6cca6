/** A word, or a whole line from an engine that returns no words. */
export interface Word {
  /** Includes the preceding space, in languages that use spaces. */
  text: string
  /** From the beginning of the audio, in seconds. */
  startSec: number
  endSec: number
  /** The speaker's name; null if unknown. */
  speaker: string | null
  /** The speaker's role in the room. Only for recordings with a file for each person. */
  role?: string | null
}

/** Languages without spaces between words. */
const UNSPACED = new Set(['ja-JP', 'zh-CN', 'zh-TW', 'th-TH'])

/** A word as it follows another one in a language. */
export function following(text: string, language: string): string {
  return UNSPACED.has(language) ? text : ` ${text}`
}
