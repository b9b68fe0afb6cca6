import type { Consent } from '@interview-room/contract/live-entry.ts'
import { useState } from 'react'
import type { CallConnection } from '../../connection/call-connection.ts'
import { Button } from '../../design/button.tsx'
import { EyeIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { MessagePage } from '../../pages/message-page.tsx'
import styles from './consent-page.module.css'

interface ConsentPageProps {
  call: CallConnection
  /** Who declines enters all the same. */
  isOptional: boolean
}

/** Asked before anything of this person is sent, in a room that is recorded or may be. */
export function ConsentPage({ call, isOptional }: ConsentPageProps) {
  const { optional, ...required } = useToolsText().consent
  const text = isOptional ? { ...required, ...optional } : required
  const [status, setStatus] = useState<'asking' | 'sending' | 'failed'>('asking')

  async function answer(consent: Consent): Promise<void> {
    setStatus('sending')
    const wasHeard = await call.answerConsent(consent)
    if (!wasHeard) setStatus('failed')
  }

  const isSending = status === 'sending'
  return (
    <MessagePage
      icon={<EyeIcon />}
      title={text.title}
      body={text.lead}
      action={
        <div className={styles.answers}>
          <Button
            look="primary"
            size="large"
            isPending={isSending}
            onPress={() => void answer('given')}
          >
            {isSending ? text.sending : text.give}
          </Button>
          <Button size="large" isDisabled={isSending} onPress={() => void answer('declined')}>
            {text.decline}
          </Button>
        </div>
      }
    >
      <ul className={styles.points}>
        <li>{text.points.what}</li>
        <li>{text.points.choice}</li>
      </ul>
      {status === 'failed' && (
        <p className={styles.failed} role="alert">
          {text.failed}
        </p>
      )}
    </MessagePage>
  )
}
