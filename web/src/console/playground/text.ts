import { useLocale } from '../../i18n/language.tsx'
import { playgroundEn } from '../../i18n/playground-en.ts'
import { type PlaygroundDictionary, playgroundJa } from '../../i18n/playground-ja.ts'

const DICTIONARIES = { ja: playgroundJa, en: playgroundEn }

/** The words of the playground in the chosen language. */
export function useText(): PlaygroundDictionary {
  return DICTIONARIES[useLocale()]
}
