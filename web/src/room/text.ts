import { en } from '../i18n/en.ts'
import { type Dictionary, ja } from '../i18n/ja.ts'
import { useLocale } from '../i18n/language.tsx'

const DICTIONARIES = { ja, en }

/** The words of the room page in the chosen language. */
export function useText(): Dictionary {
  return DICTIONARIES[useLocale()]
}
