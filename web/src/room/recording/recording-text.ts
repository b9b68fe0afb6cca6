import { useLocale } from '../../i18n/language.tsx'
import { recordingEn } from '../../i18n/recording-en.ts'
import { type RecordingDictionary, recordingJa } from '../../i18n/recording-ja.ts'

const DICTIONARIES = { ja: recordingJa, en: recordingEn }

/** The words of the recording controls in the chosen language. */
export function useRecordingText(): RecordingDictionary {
  return DICTIONARIES[useLocale()]
}
