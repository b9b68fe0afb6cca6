import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { copyText } from '../design/copy-text.ts'
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
  const [isCopied, setIsCopied] = useState<boolean | null>(null)
  return (
    <section className={styles.secret} aria-label={title}>
      <output className={styles.strong}>{title}</output>
      <p>{text.once}</p>
      <code>{secret}</code>
      {isCopied === false && <p role="alert">{text.notCopied}</p>}
      <div className={styles.buttons}>
        <Button onPress={() => void copyText(secret).then(setIsCopied)}>
          {isCopied === true ? <CheckIcon /> : <CopyIcon />}
          <span>{isCopied === true ? text.copied : text.copy}</span>
        </Button>
        <Button look="primary" onPress={onDone}>
          {text.done}
        </Button>
      </div>
    </section>
  )
}
