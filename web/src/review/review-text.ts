import { useLocale } from '../i18n/language.tsx'
import { reviewEn } from '../i18n/review-en.ts'
import { type ReviewDictionary, reviewJa } from '../i18n/review-ja.ts'

const DICTIONARIES = { ja: reviewJa, en: reviewEn }

/** The words of the review page in the chosen language. */
export function useText(): ReviewDictionary {
  return DICTIONARIES[useLocale()]
}
