import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import { FileIcon } from '../../design/icons.tsx'
import { useChatText } from '../../i18n/chat-text.ts'
import { useLastingUrl } from '../../live/use-lasting-url.ts'
import styles from './message.module.css'

/** Image types that every browser shows, and that the service serves as images. */
const SHOWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

type AttachmentBody = NonNullable<ChatMessageBody['attachment']>

/** Shows an image in place, and any other file as a download. */
export function Attachment({ attachment }: { attachment: AttachmentBody }) {
  const text = useChatText()
  const { url, name, mime, size } = attachment
  // An image outside of the view loads when it is scrolled to, perhaps long after its first URL has expired.
  const shown = useLastingUrl(url)
  if (SHOWN.includes(mime) && !shown.hasFailed) {
    return (
      <a
        className={styles.picture}
        href={url}
        target="_blank"
        rel="noreferrer"
        aria-label={text.openImage(name)}
      >
        <img src={shown.url} alt={name} loading="lazy" onError={shown.onError} />
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
