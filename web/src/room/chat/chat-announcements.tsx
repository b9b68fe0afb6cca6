import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import { useEffect, useState } from 'react'
import { useChatText } from '../../i18n/chat-text.ts'
import { useLive } from '../../live/use-live.tsx'
import { channelWords, stampLabel } from './channels.ts'

/** What is older than this was said before one came, or while one was cut off. */
const NEWS_MAX_MS = 30_000

/** Reads out politely what others say in any chat; the history is not read out. */
export function ChatAnnouncements() {
  const text = useChatText()
  const { store, role } = useLive()
  const [words, setWords] = useState('')
  useEffect(() => {
    let last = store.getState().messages.at(-1)
    function wordsOf(message: ChatMessageBody): string {
      const said =
        message.content_type === 'stamp'
          ? stampLabel(text, message.visibility, message.text ?? '')
          : (message.text ?? message.attachment?.name ?? '')
      const channel = channelWords(text, role, message.visibility).title
      return text.heard(channel, message.sender_name, said)
    }
    return store.subscribe(() => {
      const { messages, clockOffsetMs } = store.getState()
      const latest = messages.at(-1)
      if (latest === undefined || latest.id === last?.id) return
      last = latest
      const ageMs = Date.now() + clockOffsetMs - Date.parse(latest.created_at)
      const isSaidByOthers = latest.content_type !== 'archive_status' && !store.isMine(latest)
      if (isSaidByOthers && ageMs < NEWS_MAX_MS) setWords(wordsOf(latest))
    })
  }, [store, role, text])
  return (
    <output className="visually-hidden" aria-live="polite">
      {words}
    </output>
  )
}
