import { useChatText } from '../../i18n/chat-text.ts'
import { useLive } from '../../live/use-live.tsx'
import { channelWords } from './channels.ts'
import { useChatNews, wordsOf } from './use-chat-news.ts'

/** Reads out politely what others say in any chat; the history is not read out. */
export function ChatAnnouncements() {
  const text = useChatText()
  const { role } = useLive()
  const news = useChatNews()
  return (
    <output className="visually-hidden" aria-live="polite">
      {news !== null && (
        // Another element for each message: the same words a second time are read out, too.
        <span key={news.id}>
          {text.heard(
            channelWords(text, role, news.visibility).title,
            news.sender_name,
            wordsOf(text, news),
          )}
        </span>
      )}
    </output>
  )
}
