import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { CheckIcon, CopyIcon } from '../design/icons.tsx'
import type { ShownSecret } from './console-context.ts'
import { useText } from './console-text.ts'
import styles from './console.module.css'

interface SecretNoticeProps {
  shown: ShownSecret
  onDone: () => void
}

/** A secret that the service shows only once. */
export function SecretNotice({ shown, onDone }: SecretNoticeProps) {
  const { secret: text, apiKeys, endpoints } = useText()
  const { secret } = shown
  const title = shown.of === 'api-key' ? apiKeys.issued(shown.name) : endpoints.secretOf(shown.url)
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
