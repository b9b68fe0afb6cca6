import { COMMENT_MAX } from '@interview-room/contract/limits.ts'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { isSendKey } from '../../design/send-key.ts'
import { useAction } from '../../pages/use-action.ts'
import { Problem } from '../problem.tsx'
import { useText } from '../review-text.ts'
import styles from './comments.module.css'

interface CommentFieldProps {
  /** Each new number above 0 moves the focus here. */
  asked: number
  label: string
  send: string
  initial?: string
  /** Called with the first character. */
  onBegin?: () => void
  /** Called when everything is deleted again. */
  onEmpty?: () => void
  onSend: (words: string) => Promise<void>
  onCancel?: () => void
}

/** Enter sends, and Shift + Enter begins a new line. */
export function CommentField(props: CommentFieldProps) {
  const { asked, label, send, initial = '', onBegin, onEmpty, onSend, onCancel } = props
  const text = useText()
  const field = useRef<HTMLTextAreaElement>(null)
  const hint = useId()
  const [draft, setDraft] = useState(initial)
  const { isBusy, error, run } = useAction()
  const words = draft.trim()
  useEffect(() => {
    if (asked > 0) field.current?.focus()
  }, [asked])

  async function submit(): Promise<void> {
    if (words !== '' && (await run(() => onSend(words)))) setDraft('')
  }

  function write(now: string): void {
    if (draft === '' && now !== '') onBegin?.()
    if (now === '') onEmpty?.()
    setDraft(now)
  }

  return (
    <div className={styles.field}>
      <textarea
        ref={field}
        rows={2}
        value={draft}
        maxLength={COMMENT_MAX}
        placeholder={label}
        aria-label={label}
        aria-describedby={hint}
        onChange={({ target }) => write(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel?.()
          if (!isSendKey(event.nativeEvent)) return
          event.preventDefault()
          void submit()
        }}
      />
      <div className={styles.send}>
        <p id={hint}>{text.comments.hint}</p>
        {onCancel !== undefined && (
          <Button size="small" look="quiet" onPress={onCancel}>
            {text.cancel}
          </Button>
        )}
        <Button
          size="small"
          look="primary"
          isDisabled={words === ''}
          isPending={isBusy}
          onPress={() => void submit()}
        >
          {send}
        </Button>
      </div>
      <Problem error={error} />
    </div>
  )
}
