import { useLocale } from '../i18n/language.tsx'
import { shareEn } from '../i18n/share-en.ts'
import { type ShareDictionary, shareJa } from '../i18n/share-ja.ts'

const DICTIONARIES = { ja: shareJa, en: shareEn }

/** The words about links in the chosen language. */
export function useShareText(): ShareDictionary {
  return DICTIONARIES[useLocale()]
}
