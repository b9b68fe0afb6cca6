import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import { FileIcon } from '../../design/icons.tsx'
import { useChatText } from '../../i18n/chat-text.ts'
import { useLastingUrl } from '../../live/use-lasting-url.ts'
import styles from './message.module.css'

/** Pictures that every browser shows, and that are served as such. */
const SHOWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

type AttachmentBody = NonNullable<ChatMessageBody['attachment']>

/** A picture is shown in its place, any other file is offered. */
export function Attachment({ attachment }: { attachment: AttachmentBody }) {
  const text = useChatText()
  const { url, name, mime, size } = attachment
  // A picture that is not seen yet is fetched when it is, maybe long after the address at first has expired.
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
