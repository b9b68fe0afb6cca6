import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { CloseIcon } from '../../design/icons.tsx'
import { useChatText } from '../../i18n/chat-text.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { CHANNEL_ICONS } from './channel-icon.tsx'
import { channelWords } from './channels.ts'
import styles from './chat-preview.module.css'
import { useChatNews, wordsOf } from './use-chat-news.ts'

/** Long enough to read two lines while listening. After that, the chat still counts the message as unread. */
const SHOWN_MS = 10_000

interface ChatPreviewProps {
  /** The open panels. Messages in them are not shown twice. */
  openIds: readonly string[]
  /** Others see the own screen, and anything that appears on this page with it. */
  isScreenShared: boolean
  onOpen: (id: string) => void
}

/** The latest message of a closed chat, until it is old, opened or dismissed. */
export function ChatPreview({ openIds, isScreenShared, onOpen }: ChatPreviewProps) {
  const text = useChatText()
  const { role } = useLive()
  const news = useChatNews()
  const isThere = useLiveState(({ messages }) => messages.some(({ id }) => id === news?.id))
  const [goneId, setGoneId] = useState<string | null>(null)
  const id = news?.id
  const isRead = news !== null && openIds.includes(news.visibility)
  // A message that arrived while its chat was open is not shown after the chat is closed.
  if (isRead && id !== undefined && id !== goneId) setGoneId(id)
  useEffect(() => {
    if (id === undefined) return undefined
    const timer = setTimeout(() => setGoneId(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id])

  if (news === null || news.id === goneId || !isThere) return null
  const { visibility, sender_name: name } = news
  if (isScreenShared && visibility !== 'public') return null
  const Icon = CHANNEL_ICONS[visibility]
  const channel = channelWords(text, role, visibility).title
  return (
    <div className={styles.preview} data-channel={visibility}>
      <Button
        className={styles.open ?? ''}
        onPress={() => {
          setGoneId(news.id)
          onOpen(visibility)
        }}
      >
        <Icon />
        <span className={styles.words}>
          <strong>
            <span>{channel}</span> · <bdi>{name}</bdi>
          </strong>
          <span>{wordsOf(text, news)}</span>
        </span>
      </Button>
      <Button
        className={styles.dismiss ?? ''}
        aria-label={text.dismissPreview}
        onPress={() => setGoneId(news.id)}
      >
        <CloseIcon />
      </Button>
    </div>
  )
}
