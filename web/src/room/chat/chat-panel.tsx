import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import { type DragEvent, useEffect, useState } from 'react'
import { useChatText } from '../../i18n/chat-text.ts'
import { useLive } from '../../live/use-live.tsx'
import { CHANNEL_ICONS } from './channel-icon.tsx'
import { canWrite, channelWords, stampsIn } from './channels.ts'
import styles from './chat-panel.module.css'
import { Composer } from './composer.tsx'
import { MessageList } from './message-list.tsx'
import { StampBar } from './stamp-bar.tsx'
import type { StampKeys } from './stamp-keys.ts'

interface ChatPanelProps {
  visibility: Visibility
  isOpen: boolean
  stampKeys: StampKeys
}

/** One chat: its readers, its messages, and the input field. */
export function ChatPanel({ visibility, isOpen, stampKeys }: ChatPanelProps) {
  const text = useChatText()
  const { chat, role } = useLive()
  const words = channelWords(text, role, visibility)
  const Icon = CHANNEL_ICONS[visibility]
  const isWritable = canWrite(role, visibility)
  const drop = useFileDrop((files) => {
    for (const file of files) chat.sendFile(visibility, file)
  })
  useShown(visibility, isOpen)

  return (
    <section
      className={styles.chat}
      aria-label={words.title}
      data-channel={visibility}
      {...(isWritable ? drop.handlers : {})}
    >
      <header className={styles.banner}>
        <Icon />
        <div>
          <h2>{words.title}</h2>
          <p>{words.readers}</p>
        </div>
      </header>
      <MessageList visibility={visibility} isOpen={isOpen} />
      {isWritable ? (
        <footer className={styles.footer}>
          <StampBar
            stamps={stampsIn(role, visibility)}
            visibility={visibility}
            isOpen={isOpen}
            keys={stampKeys}
            onStamp={(identifier) => chat.sendStamp(visibility, identifier)}
          />
          <Composer visibility={visibility} />
        </footer>
      ) : (
        <p className={styles.readOnly}>{text.readOnly}</p>
      )}
      {drop.isOver && <div className={styles.drop}>{text.dropHere}</div>}
    </section>
  )
}

/** A chat that is open on a visible page has no unread messages. */
function useShown(visibility: Visibility, isOpen: boolean): void {
  const { store } = useLive()
  const isLookedAt = usePageVisible()
  useEffect(() => {
    return isOpen && isLookedAt ? store.show(visibility) : undefined
  }, [store, visibility, isOpen, isLookedAt])
}

function usePageVisible(): boolean {
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isVisible
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes('Files')
}

function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave(event: DragEvent) {
        const to = event.relatedTarget
        if (!(to instanceof Node && event.currentTarget.contains(to))) setOver(false)
      },
      onDrop(event: DragEvent) {
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}
