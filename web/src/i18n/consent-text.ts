import { consentEn } from './consent-en.ts'
import { type ConsentDictionary, consentJa } from './consent-ja.ts'
import { useLocale } from './language.tsx'

const DICTIONARIES = { ja: consentJa, en: consentEn }

/** The words of the consent, the information before entering, and the farewell, in the chosen language. */
export function useConsentText(): ConsentDictionary {
  return DICTIONARIES[useLocale()]
}
