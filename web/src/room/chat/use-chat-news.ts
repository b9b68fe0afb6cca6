import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import { useEffect, useState } from 'react'
import { useLive } from '../../live/use-live.tsx'

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
