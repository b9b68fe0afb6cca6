import { en } from './en.ts'
import { type Dictionary, ja } from './ja.ts'
import { useLocale } from './language.tsx'

const DICTIONARIES = { ja, en }

/** The words of the room page in the chosen language. */
export function useText(): Dictionary {
  return DICTIONARIES[useLocale()]
}
