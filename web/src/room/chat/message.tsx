import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import { memo } from 'react'
import { useChatText } from '../../i18n/chat-text.ts'
import { useLocale } from '../../i18n/language.tsx'
import { Attachment } from './attachment.tsx'
import { stampLabel } from './channels.ts'
import { partsOf } from './links.ts'
import styles from './message.module.css'

/** Messages of one person within this time are grouped under one name. */
const SAME_BREATH_MS = 120_000

interface MessageProps {
  message: ChatMessageBody
  before: ChatMessageBody | undefined
  isMine: boolean
  /** The status in a message about the recording. */
  recordingStatus: string | undefined
}

/** Memoised, because there may be a thousand messages and a new one must not render the others again. */
export const Message = memo(function Message(props: MessageProps) {
  const { message, before, isMine, recordingStatus } = props
  const text = useChatText()
  const time = useTime(message.created_at)
  if (message.content_type === 'archive_status') {
    return (
      <li className={styles.status}>
        <span>{recordingWords(text.recording, recordingStatus)}</span>
        <time dateTime={message.created_at}>{time}</time>
      </li>
    )
  }
  const isNamed = before === undefined || !isSameBreath(before, message)
  return (
    <li className={styles.message} data-mine={isMine} data-named={isNamed}>
      <p className={isNamed ? styles.name : 'visually-hidden'}>
        <strong dir="auto">{isMine ? text.you : message.sender_name}</strong>{' '}
        <time dateTime={message.created_at}>{time}</time>
      </p>
      {message.content_type === 'stamp' && (
        <p className={styles.stamp}>{stampLabel(text, message.visibility, message.text ?? '')}</p>
      )}
      {message.attachment !== null && <Attachment attachment={message.attachment} />}
      {message.content_type !== 'stamp' && message.text !== null && (
        <p className={styles.text} dir="auto">
          <Written text={message.text} />
        </p>
      )}
    </li>
  )
})

/** The text with its addresses as links. They open beside the room, and do not tell where they were. */
function Written({ text }: { text: string }) {
  return partsOf(text).map(({ text: part, url }, place) =>
    url === undefined ? (
      <span key={place}>{part}</span>
    ) : (
      <a key={place} href={url} target="_blank" rel="noopener noreferrer">
        {part}
      </a>
    ),
  )
}

function isSameBreath(before: ChatMessageBody, message: ChatMessageBody): boolean {
  const apartMs = Date.parse(message.created_at) - Date.parse(before.created_at)
  const isSamePerson =
    before.participant_id === message.participant_id && before.sender_name === message.sender_name
  return isSamePerson && before.content_type !== 'archive_status' && apartMs < SAME_BREATH_MS
}

function recordingWords(
  words: Readonly<Record<string, string>>,
  status: string | undefined,
): string {
  const isKnown = status !== undefined && Object.hasOwn(words, status)
  return (isKnown ? words[status] : words['changed']) ?? ''
}

function useTime(at: string): string {
  const locale = useLocale() === 'ja' ? 'ja-JP' : 'en-GB'
  return new Date(at).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
}
