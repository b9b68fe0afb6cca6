import { boardEn } from '../i18n/board-en.ts'
import { type BoardDictionary, boardJa } from '../i18n/board-ja.ts'
import { useLocale } from '../i18n/language.tsx'

const DICTIONARIES = { ja: boardJa, en: boardEn }

/** The words of the board in the chosen language. */
export function useText(): BoardDictionary {
  return DICTIONARIES[useLocale()]
}
