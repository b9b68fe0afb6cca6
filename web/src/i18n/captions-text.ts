import { captionsEn } from './captions-en.ts'
import { type CaptionsDictionary, captionsJa } from './captions-ja.ts'
import { useLocale } from './language.tsx'

const DICTIONARIES = { ja: captionsJa, en: captionsEn }

/** The words of captions and transcript in the chosen language. */
export function useCaptionsText(): CaptionsDictionary {
  return DICTIONARIES[useLocale()]
}
