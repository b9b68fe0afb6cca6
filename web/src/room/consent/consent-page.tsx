import type { ConsentAnswer, ConsentPurpose } from '@interview-room/contract/consent-rules.ts'
import { useState } from 'react'
import type { CallConnection } from '../../connection/call-connection.ts'
import type { Consents } from '../../connection/call-consents.ts'
import { Button } from '../../design/button.tsx'
import { EyeIcon } from '../../design/icons.tsx'
import type { ConsentDictionary } from '../../i18n/consent-ja.ts'
import { useConsentText } from '../../i18n/consent-text.ts'
import { useLocale } from '../../i18n/language.tsx'
import { AboutList } from '../../pages/about-list.tsx'
import { MessagePage } from '../../pages/message-page.tsx'
import styles from './consent-page.module.css'

interface ConsentPageProps {
  call: CallConnection
  purpose: ConsentPurpose
  /** True for the last question. */
  isLast: boolean
  consents: Consents
}

/** Asks for consent before any media of this person is sent, with one question per page. */
export function ConsentPage({ call, purpose, isLast, consents }: ConsentPageProps) {
  const text = useConsentText()
  const words = wordsOf(text, purpose, consents)
  const language = useLocale()
  const [status, setStatus] = useState<'asking' | 'sending' | 'failed'>('asking')

  async function answer(given: ConsentAnswer): Promise<void> {
    setStatus('sending')
    const wasHeard = await call.answerConsent({ purpose, answer: given, language })
    if (!wasHeard) setStatus('failed')
  }

  const isSending = status === 'sending'
  const give = isLast ? text.give : text.next
  return (
    <MessagePage
      icon={<EyeIcon />}
      title={words.title}
      body={words.lead}
      action={
        <div className={styles.answers}>
          <Button
            look="primary"
            size="large"
            isPending={isSending}
            onPress={() => void answer('given')}
          >
            {isSending ? text.sending : give}
          </Button>
          <Button size="large" isPending={isSending} onPress={() => void answer('declined')}>
            {words.decline}
          </Button>
        </div>
      }
    >
      <AboutList texts={consents.texts} />
      <ul className={styles.points}>
        {words.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {status === 'failed' && (
        <p className={styles.failed} role="alert">
          {text.failed}
        </p>
      )}
    </MessagePage>
  )
}

function wordsOf(
  { recording, ...others }: ConsentDictionary,
  purpose: ConsentPurpose,
  { isRecordingRequired }: Consents,
) {
  if (purpose !== 'recording') {
    const { title, lead, what, choice, decline } = others[purpose]
    return { title, lead, decline, points: [what, choice, recording.later] }
  }
  const { title, what, later } = recording
  const { lead, choice, decline } = isRecordingRequired ? recording.required : recording.optional
  return { title, lead, decline, points: [what, choice, later] }
}
