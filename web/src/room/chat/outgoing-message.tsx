import { Button } from '../../design/button.tsx'
import { FileIcon } from '../../design/icons.tsx'
import { useChatText } from '../../i18n/chat-text.ts'
import type { OutgoingChatMessage } from '../../live/store.ts'
import { useLive } from '../../live/use-live.tsx'
import { stampLabel } from './channels.ts'
import styles from './message.module.css'

/** An own message that the service has not confirmed yet. */
export function OutgoingMessage({ outgoing }: { outgoing: OutgoingChatMessage }) {
  const text = useChatText()
  const { chat } = useLive()
  const { state, file, contentType, visibility } = outgoing
  return (
    <li className={styles.message} data-mine="true" data-named="true">
      {contentType === 'stamp' && (
        <p className={styles.stamp}>{stampLabel(text, visibility, outgoing.text ?? '')}</p>
      )}
      {contentType === 'text' && (
        <p className={styles.text} dir="auto">
          {outgoing.text}
        </p>
      )}
      {file !== null && (
        <p className={styles.file}>
          <FileIcon />
          <strong>{file.name}</strong>
        </p>
      )}
      {state.status === 'sending' ? (
        <p className={styles.sending}>
          <span>
            {file === null ? text.sending : text.uploading(Math.round(outgoing.progress * 100))}
          </span>
          {file !== null && <progress max={1} value={outgoing.progress} aria-label={file.name} />}
        </p>
      ) : (
        <div className={styles.failed}>
          <p role="alert">{text.problem[state.problem]}</p>
          {(state.problem === 'offline' || state.problem === 'too-fast') && (
            <Button size="small" onPress={() => chat.retry(outgoing)}>
              {text.retry}
            </Button>
          )}
          <Button size="small" look="quiet" onPress={() => chat.discard(outgoing.id)}>
            {text.discard}
          </Button>
        </div>
      )}
    </li>
  )
}
