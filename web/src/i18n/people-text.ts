import { useLocale } from './language.tsx'
import { peopleEn } from './people-en.ts'
import { type PeopleDictionary, peopleJa } from './people-ja.ts'

const DICTIONARIES = { ja: peopleJa, en: peopleEn }

/** The words about people in a room and the rating, in the chosen language. */
export function usePeopleText(): PeopleDictionary {
  return DICTIONARIES[useLocale()]
}
