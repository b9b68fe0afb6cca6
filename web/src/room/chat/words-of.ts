import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import type { ChatDictionary } from '../../i18n/chat-ja.ts'
import { stampLabel } from './channels.ts'

/** What a message says: its text, its stamp in words, or the name of its file. */
export function wordsOf(
  text: ChatDictionary,
  { content_type: kind, visibility, text: said, attachment }: ChatMessageBody,
): string {
  return kind === 'stamp'
    ? stampLabel(text, visibility, said ?? '')
    : (said ?? attachment?.name ?? '')
}
