import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import { useEffect, useState } from 'react'
import type { ChatDictionary } from '../../i18n/chat-ja.ts'
import { useLive } from '../../live/use-live.tsx'
import { stampLabel } from './channels.ts'

/** An older message is from before the entry or from an interruption. */
const NEWS_MAX_MS = 30_000

/** The latest message of another person in any chat. Excludes the history; null before the first message. */
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
      const ageMs = performance.now() + clockOffsetMs - Date.parse(latest.created_at)
      const isSaidByOthers = latest.content_type !== 'archive_status' && !store.isMine(latest)
      if (isSaidByOthers && ageMs < NEWS_MAX_MS) setNews(latest)
    })
  }, [store])
  return news
}

/** The words of a message: its text, the name of its stamp, or the name of its file. */
export function wordsOf(
  text: ChatDictionary,
  { content_type: kind, visibility, text: said, attachment }: ChatMessageBody,
): string {
  return kind === 'stamp'
    ? stampLabel(text, visibility, said ?? '')
    : (said ?? attachment?.name ?? '')
}
