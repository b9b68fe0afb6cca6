import { CHAT_TEXT_MAX } from '@interview-room/contract/limits.ts'
import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import { type ClipboardEvent, type KeyboardEvent, useId, useState } from 'react'
import { Button, FileTrigger } from 'react-aria-components'
import { ClipIcon, SendIcon } from '../../design/icons.tsx'
import { isSendKey } from '../../design/send-key.ts'
import { useChatText } from '../../i18n/chat-text.ts'
import { useLive } from '../../live/use-live.tsx'
import { channelsOf } from './channels.ts'
import styles from './composer.module.css'
import { lengthOf, messageOf } from './keys.ts'

/** The remaining length is shown from here on. */
const COUNT_FROM = CHAT_TEXT_MAX - 500

/** The input field of a chat. */
export function Composer({ visibility }: { visibility: Visibility }) {
  const text = useChatText()
  const { chat, role } = useLive()
  const [draft, write] = useDraft(visibility)
  const hintId = useId()
  const message = messageOf(draft)
  const label = channelsOf(role).length === 1 ? text.writePlain : text.write[visibility]

  function send(): void {
    if (message === undefined) return
    chat.sendText(visibility, message)
    write('')
  }

  function sendFiles(files: Iterable<File>): void {
    for (const file of files) chat.sendFile(visibility, file)
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (!isSendKey(event.nativeEvent)) return
    event.preventDefault()
    send()
  }

  function onPaste(event: ClipboardEvent): void {
    const { files, types } = event.clipboardData
    // Text copied from an office program also contains a picture of itself.
    if (types.includes('text/plain')) return
    sendFiles(files)
  }

  return (
    <div>
      <div className={styles.composer} data-composer>
        <FileTrigger allowsMultiple onSelect={(files) => sendFiles(files ?? [])}>
          <Button className={styles.attach ?? ''} aria-label={text.attach}>
            <ClipIcon />
          </Button>
        </FileTrigger>
        <div className={styles.field} data-text={`${draft} `}>
          <textarea
            rows={1}
            value={draft}
            placeholder={label}
            aria-label={label}
            aria-describedby={hintId}
            onChange={({ target }) => write(target.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
          />
        </div>
        <Button
          className={styles.send ?? ''}
          aria-label={text.send}
          isDisabled={message === undefined}
          onPress={send}
        >
          <SendIcon />
        </Button>
      </div>
      <ComposerHint id={hintId} used={lengthOf(draft)} />
    </div>
  )
}

/** The draft survives when other panels open, and when the person joins again. */
function useDraft(visibility: Visibility): [draft: string, write: (draft: string) => void] {
  const { drafts } = useLive()
  const [draft, setDraft] = useState(() => drafts.get(visibility))
  function write(text: string): void {
    drafts.set(visibility, text)
    setDraft(text)
  }
  return [draft, write]
}

/** The key that sends. Near the maximum length it shows the remaining characters instead. */
function ComposerHint({ id, used }: { id: string; used: number }) {
  const text = useChatText()
  return (
    <p className={styles.hint} id={id}>
      {used > COUNT_FROM ? (
        <output data-over={used > CHAT_TEXT_MAX}>{text.counter(used, CHAT_TEXT_MAX)}</output>
      ) : (
        text.writeHint
      )}
    </p>
  )
}
