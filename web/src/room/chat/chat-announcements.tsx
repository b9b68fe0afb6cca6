import { useChatText } from '../../i18n/chat-text.ts'
import { useLive } from '../../live/use-live.tsx'
import { channelWords } from './channels.ts'
import { useChatNews, wordsOf } from './use-chat-news.ts'

/** Announces messages of other people in any chat politely. The history is not announced. */
export function ChatAnnouncements() {
  const text = useChatText()
  const { role } = useLive()
  const news = useChatNews()
  return (
    <output className="visually-hidden" aria-live="polite">
      {news !== null && (
        // A new element for each message, so that repeated words are announced, too.
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
