import { useLocale } from '../../i18n/language.tsx'
import { toolsEn } from '../../i18n/tools-en.ts'
import { type ToolsDictionary, toolsJa } from '../../i18n/tools-ja.ts'

const DICTIONARIES = { ja: toolsJa, en: toolsEn }

/** The words of handouts, tools, consent and notices in the chosen language. */
export function useToolsText(): ToolsDictionary {
  return DICTIONARIES[useLocale()]
}
