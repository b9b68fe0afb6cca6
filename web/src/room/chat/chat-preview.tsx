import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { CloseIcon } from '../../design/icons.tsx'
import { useChatText } from '../../i18n/chat-text.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { CHANNEL_ICONS } from './channel-icon.tsx'
import { channelWords } from './channels.ts'
import styles from './chat-preview.module.css'
import { useChatNews, wordsOf } from './use-chat-news.ts'

/** Long enough to read two lines while one listens; after that its chat still counts it as unread. */
const SHOWN_MS = 10_000

interface ChatPreviewProps {
  /** The panels that are open: what is read there is not shown twice. */
  openIds: readonly string[]
  /** The own screen is seen by others, and with it whatever comes up on this page. */
  isScreenShared: boolean
  onOpen: (id: string) => void
}

/** What was just said in a chat that is not open, until it is old, opened or dismissed. */
export function ChatPreview({ openIds, isScreenShared, onOpen }: ChatPreviewProps) {
  const text = useChatText()
  const { role } = useLive()
  const news = useChatNews()
  const isThere = useLiveState(({ messages }) => messages.some(({ id }) => id === news?.id))
  const [goneId, setGoneId] = useState<string | null>(null)
  const id = news?.id
  const isRead = news !== null && openIds.includes(news.visibility)
  // What came while its chat was open is no news when that is closed.
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
            {channel} · <bdi>{name}</bdi>
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
