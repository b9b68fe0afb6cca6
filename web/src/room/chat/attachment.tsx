import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import { useState } from 'react'
import { FileIcon } from '../../design/icons.tsx'
import { useChatText } from '../../i18n/chat-text.ts'
import styles from './message.module.css'

/** Pictures that every browser shows, and that are served as such. */
const SHOWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

type AttachmentBody = NonNullable<ChatMessageBody['attachment']>

/** A picture is shown in its place, any other file is offered. */
export function Attachment({ attachment }: { attachment: AttachmentBody }) {
  const text = useChatText()
  const [isBroken, setBroken] = useState(false)
  const { url, name, mime, size } = attachment
  // Addresses are renewed while the page is open; what is shown already is not fetched again.
  const [shownUrl] = useState(url)
  if (SHOWN.includes(mime) && !isBroken) {
    return (
      <a
        className={styles.picture}
        href={url}
        target="_blank"
        rel="noreferrer"
        aria-label={text.openImage(name)}
      >
        <img src={shownUrl} alt={name} loading="lazy" onError={() => setBroken(true)} />
      </a>
    )
  }
  return (
    <a
      className={styles.file}
      href={url}
      download={name}
      target="_blank"
      rel="noreferrer"
      aria-label={text.download(name)}
    >
      <FileIcon />
      <span>
        <strong>{name}</strong>
        <small>{sizeWords(size)}</small>
      </span>
    </a>
  )
}

function sizeWords(bytes: number): string {
  const kilobytes = bytes / 1000
  return kilobytes < 1000
    ? `${Math.max(1, Math.round(kilobytes))} KB`
    : `${(kilobytes / 1000).toFixed(1)} MB`
}
