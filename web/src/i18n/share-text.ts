import { useLocale } from './language.tsx'
import { shareEn } from './share-en.ts'
import { type ShareDictionary, shareJa } from './share-ja.ts'

const DICTIONARIES = { ja: shareJa, en: shareEn }

/** The words about links in the chosen language. */
export function useShareText(): ShareDictionary {
  return DICTIONARIES[useLocale()]
}
