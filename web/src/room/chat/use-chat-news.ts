import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import { useEffect, useState } from 'react'
import type { ChatDictionary } from '../../i18n/chat-ja.ts'
import { useLive } from '../../live/use-live.tsx'
import { stampLabel } from './channels.ts'

/** What is older than this was said before one came, or while one was cut off. */
const NEWS_MAX_MS = 30_000

/** What somebody else said last in any chat; nothing of the history, and null before anything is said. */
export function useChatNews(): ChatMessageBody | null {
  const { store } = useLive()
  const [news, setNews] = useState<ChatMessageBody | null>(null)
  useEffect(() => {
    let last = store.getState().messages.at(-1)
    return store.subscribe(() => {
      const { messages, clockOffsetMs } = store.getState()
      const latest = messages.at(-1)
      if (latest === undefined || latest.id === last?.id) return
      last = latest
      const ageMs = Date.now() + clockOffsetMs - Date.parse(latest.created_at)
      const isSaidByOthers = latest.content_type !== 'archive_status' && !store.isMine(latest)
      if (isSaidByOthers && ageMs < NEWS_MAX_MS) setNews(latest)
    })
  }, [store])
  return news
}

/** What a message says: its text, its stamp in words, or the name of its file. */
export function wordsOf(
  text: ChatDictionary,
  { content_type: kind, visibility, text: said, attachment }: ChatMessageBody,
): string {
  return kind === 'stamp'
    ? stampLabel(text, visibility, said ?? '')
    : (said ?? attachment?.name ?? '')
}
