import { useLocale } from './language.tsx'
import { toolsEn } from './tools-en.ts'
import { type ToolsDictionary, toolsJa } from './tools-ja.ts'

const DICTIONARIES = { ja: toolsJa, en: toolsEn }

/** The words of handouts, tools, consent and notices in the chosen language. */
export function useToolsText(): ToolsDictionary {
  return DICTIONARIES[useLocale()]
}
