import { chatEn } from './chat-en.ts'
import { type ChatDictionary, chatJa } from './chat-ja.ts'
import { useLocale } from './language.tsx'

const DICTIONARIES = { ja: chatJa, en: chatEn }

/** The words of chat and roster in the chosen language. */
export function useChatText(): ChatDictionary {
  return DICTIONARIES[useLocale()]
}
