import {
  CONSENT_PURPOSES,
  type ConsentPurpose,
  type ConsentState,
  isAgreed,
} from '@interview-room/contract/consent-rules.ts'
import { useState } from 'react'
import type { CallConnection } from '../../connection/call-connection.ts'
import type { Consents } from '../../connection/call-consents.ts'
import { Button } from '../../design/button.tsx'
import { EyeIcon } from '../../design/icons.tsx'
import { useConsentText } from '../../i18n/consent-text.ts'
import { useLocale } from '../../i18n/language.tsx'
import { AboutList } from '../../pages/about-list.tsx'
import { ControlButton } from '../tools/control-button.tsx'
import { DialogButtons, ToolDialog } from '../tools/tool-dialog.tsx'
import styles from './own-consent.module.css'

interface OwnConsentProps {
  call: CallConnection
  consents: Consents
}

/** The person's own consents, which they can review and change at any time. */
export function OwnConsent({ call, consents }: OwnConsentProps) {
  const text = useConsentText().own
  const [isOpen, setIsOpen] = useState(false)
  const asked = CONSENT_PURPOSES.filter((purpose) => stateOf(consents, purpose) !== 'not_asked')
  if (asked.length === 0) return null
  return (
    <>
      <ControlButton
        icon={<EyeIcon />}
        label={text.button}
        look="plain"
        onPress={() => setIsOpen(true)}
      />
      <ToolDialog title={text.title} isOpen={isOpen} onOpenChange={setIsOpen}>
        <AboutList texts={consents.texts} />
        {asked.map((purpose) => (
          <PurposePart key={purpose} call={call} consents={consents} purpose={purpose} />
        ))}
        <DialogButtons>
          <Button size="large" onPress={() => setIsOpen(false)}>
            {text.close}
          </Button>
        </DialogButtons>
      </ToolDialog>
    </>
  )
}

function stateOf({ states }: Consents, purpose: ConsentPurpose): ConsentState {
  return states[purpose] ?? 'not_asked'
}

function PurposePart({ call, consents, purpose }: OwnConsentProps & { purpose: ConsentPurpose }) {
  const { own: text, sending, failed } = useConsentText()
  const language = useLocale()
  const [status, setStatus] = useState<'idle' | 'sending' | 'failed'>('idle')
  const state = stateOf(consents, purpose)
  const isGiven = isAgreed(state)

  async function change(): Promise<void> {
    setStatus('sending')
    const answer = isGiven ? 'withdrawn' : 'given'
    const wasHeard = await call.changeConsent({ purpose, answer, language })
    setStatus(wasHeard ? 'idle' : 'failed')
  }

  const ofRecording = consents.isRecordingRequired ? text.effect.required : text.effect.optional
  const effect =
    purpose === 'recording' ? `${ofRecording} ${text.effect.kept}` : text.effect[purpose]
  return (
    <section className={styles.purpose} aria-label={text.purpose[purpose]}>
      <h3>{text.purpose[purpose]}</h3>
      <output>{state === 'not_asked' ? '' : text.state[state]}</output>
      {state !== 'obtained' && (
        <>
          {isGiven && <p>{effect}</p>}
          <Button
            look={isGiven ? 'danger' : 'primary'}
            size="large"
            isPending={status === 'sending'}
            onPress={() => void change()}
          >
            {status === 'sending' ? sending : text[isGiven ? 'withdraw' : 'give'][purpose]}
          </Button>
        </>
      )}
      {status === 'failed' && <p role="alert">{failed}</p>}
    </section>
  )
}
