import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import { useMemo } from 'react'
import { Button } from '../../design/button.tsx'
import { useChatText } from '../../i18n/chat-text.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { channelWords } from './channels.ts'
import styles from './message-list.module.css'
import { Message } from './message.tsx'
import { OutgoingMessage } from './outgoing-message.tsx'
import { recordingStatuses } from './recording-status.ts'
import { useScroll } from './use-scroll.ts'

interface MessageListProps {
  visibility: Visibility
  isOpen: boolean
}

/** The messages of one chat with the newest at the bottom. Scrolling up loads older pages. */
export function MessageList({ visibility, isOpen }: MessageListProps) {
  const text = useChatText()
  const { chat, store, role } = useLive()
  const everything = useLiveState((state) => state.messages)
  const everythingSent = useLiveState((state) => state.outgoing)
  const history = useLiveState((state) => state.history)
  const messages = useMemo(
    () => everything.filter((each) => each.visibility === visibility),
    [everything, visibility],
  )
  const statuses = useMemo(() => recordingStatuses(messages), [messages])
  const outgoing = everythingSent.filter((each) => each.visibility === visibility)
  const loadOlder = () => void chat.loadOlder()
  const { box, list, isNewBelow, onScroll, toEnd } = useScroll({
    isOpen,
    firstId: messages[0]?.id,
    lastId: messages.at(-1)?.id,
    ownId: outgoing.at(-1)?.id,
    hasMore: history === 'more',
    loadOlder,
  })

  return (
    <div className={styles.frame}>
      <div
        role="log"
        // New messages are announced elsewhere with the name of the chat, also while the chat is closed.
        aria-live="off"
        className={styles.scroll}
        ref={box}
        onScroll={onScroll}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
        tabIndex={0}
        aria-label={channelWords(text, role, visibility).title}
      >
        <Before isEmpty={messages.length + outgoing.length === 0} />
        <ol className={styles.list} ref={list}>
          {messages.map((message, at) => (
            <Message
              key={message.id}
              message={message}
              before={messages[at - 1]}
              isMine={store.isMine(message)}
              recordingStatus={statuses.get(message.id)}
            />
          ))}
          {outgoing.map((each) => (
            <OutgoingMessage key={each.id} outgoing={each} />
          ))}
        </ol>
      </div>
      <Stale />
      {isNewBelow && (
        <div className={styles.below}>
          <Button look="primary" size="small" onPress={toEnd}>
            {text.newBelow} ↓
          </Button>
        </div>
      )}
    </div>
  )
}

/** The place above the first message: a button for older ones, or a note that there are none. */
function Before({ isEmpty }: { isEmpty: boolean }) {
  const text = useChatText()
  const { chat } = useLive()
  const history = useLiveState((state) => state.history)
  return (
    <>
      {history === 'loading' && isEmpty && <p className={styles.note}>{text.loading}</p>}
      {history === 'failed' && <p className={styles.note}>{text.loadFailed}</p>}
      {(history === 'more' || history === 'failed') && (
        <p className={styles.note}>
          <Button look="quiet" size="small" onPress={() => void chat.loadOlder()}>
            {text.loadOlder}
          </Button>
        </p>
      )}
      {isEmpty && history === 'complete' && <p className={styles.empty}>{text.empty}</p>}
    </>
  )
}

/** A notice above the messages. It appears only when an interruption lasts. */
function Stale() {
  const text = useChatText()
  const stream = useLiveState((state) => state.stream)
  return stream === 'reconnecting' ? <p className={styles.stale}>{text.reconnecting}</p> : null
}
