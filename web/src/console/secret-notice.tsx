import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { CheckIcon, CopyIcon } from '../design/icons.tsx'
import { useText } from './console-text.ts'
import styles from './console.module.css'

interface SecretNoticeProps {
  title: string
  secret: string
  onDone: () => void
}

/** A secret that the service shows only once. */
export function SecretNotice({ title, secret, onDone }: SecretNoticeProps) {
  const text = useText().secret
  const [isCopied, setIsCopied] = useState(false)
  return (
    <section className={styles.secret} aria-label={title}>
      <output className={styles.strong}>{title}</output>
      <p>{text.once}</p>
      <code>{secret}</code>
      <div className={styles.buttons}>
        <Button
          onPress={() => {
            // Without a secure connection there is no clipboard: the text can be selected.
            void navigator.clipboard?.writeText(secret).then(() => setIsCopied(true))
          }}
        >
          {isCopied ? <CheckIcon /> : <CopyIcon />}
          {isCopied ? text.copied : text.copy}
        </Button>
        <Button look="primary" onPress={onDone}>
          {text.done}
        </Button>
      </div>
    </section>
  )
}
