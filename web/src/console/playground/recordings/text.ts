import { useLocale } from '../../../i18n/language.tsx'
import { playgroundRecordingsEn } from '../../../i18n/playground-recordings-en.ts'
import {
  type PlaygroundRecordingsDictionary,
  playgroundRecordingsJa,
} from '../../../i18n/playground-recordings-ja.ts'

const DICTIONARIES = { ja: playgroundRecordingsJa, en: playgroundRecordingsEn }

/** The words about recordings in the chosen language. */
export function useRecordingsText(): PlaygroundRecordingsDictionary {
  return DICTIONARIES[useLocale()]
}

/** A published reason in plain words. */
export function useReason(): (reason: string | null) => string {
  const { reasons } = useRecordingsText()
  return (reason) => {
    const words: Readonly<Record<string, string>> = reasons
    return (reason === null ? undefined : words[reason]) ?? reasons.unknown
  }
}
