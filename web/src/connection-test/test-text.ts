import { useLocale } from '../i18n/language.tsx'
import { testEn } from '../i18n/test-en.ts'
import { type TestDictionary, testJa } from '../i18n/test-ja.ts'

const DICTIONARIES = { ja: testJa, en: testEn }

/** The words of the connection test in the chosen language. */
export function useTestText(): TestDictionary {
  return DICTIONARIES[useLocale()]
}
