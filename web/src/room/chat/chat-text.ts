import { chatEn } from '../../i18n/chat-en.ts'
import { type ChatDictionary, chatJa } from '../../i18n/chat-ja.ts'
import { useLocale } from '../../i18n/language.tsx'

const DICTIONARIES = { ja: chatJa, en: chatEn }

/** The words of chat and roster in the chosen language. */
export function useChatText(): ChatDictionary {
  return DICTIONARIES[useLocale()]
}
