import type { ConsentText } from '@interview-room/contract/consent.ts'
import type { FarewellBody } from '@interview-room/contract/farewell.ts'
import type { ReactNode } from 'react'
import type { CallFacts } from '../connection/call-state.ts'
import { Button } from '../design/button.tsx'
import { useConsentText } from '../i18n/consent-text.ts'
import { useLocale } from '../i18n/language.tsx'
import { durationText, momentText } from '../i18n/times.ts'
import { AboutList } from './about-list.tsx'
import styles from './farewell.module.css'
import { markerText, saveText } from './marker-text.ts'
import { type Rate, Rating } from './rating.tsx'
import { textFor } from './text-for.ts'

interface FarewellProps {
  /** Facts of the room that the person was in until then. */
  facts: CallFacts | undefined
  /** The answer of the service; undefined while it is not known. */
  farewell: FarewellBody | undefined
  /** Absent if the interview did not take place. */
  onRate?: Rate | undefined
}

/** The last page's answer to "What happens now?": rating, recording, own markers, use of the data, and the way back. */
export function Farewell({ facts, farewell, onRate }: FarewellProps) {
  const text = useConsentText().farewell
  const texts: readonly ConsentText[] = farewell?.consent_texts ?? facts?.consents.texts ?? []
  const returnUrl = farewell?.return_url ?? facts?.returnUrl ?? null
  const isPanelist = roleOf(facts, farewell) === 'panelist'
  const wasInside = hasBeenInside(facts, farewell)
  return (
    <div className={styles.farewell}>
      {isPanelist && onRate !== undefined && <Rating onRate={onRate} />}
      {farewell !== undefined && !isPanelist && wasInside && <Outcome farewell={farewell} />}
      {isPanelist && wasInside && (
        <Part title={text.data}>
          <AboutList texts={texts} />
        </Part>
      )}
      {isPanelist && !wasInside && <Contact texts={texts} />}
      {returnUrl !== null && (
        <a className={styles.back} href={returnUrl}>
          {text.back}
        </a>
      )}
    </div>
  )
}

/** The role of a person on a last page. Undefined while it is not known for sure. */
export function roleOf(facts: CallFacts | undefined, farewell: FarewellBody | undefined) {
  return farewell?.role ?? facts?.me.role
}

/** True if the person took part before this page, in this tab or another one. */
export function hasBeenInside(facts: CallFacts | undefined, farewell: FarewellBody | undefined) {
  return facts !== undefined || farewell?.has_entered === true
}

/** The results for staff: the recording and the own markers. */
function Outcome({ farewell }: { farewell: FarewellBody }) {
  const { recording, markers } = useConsentText().farewell
  const locale = useLocale()
  const save = () => {
    const day = (farewell.session?.starts_at ?? new Date().toISOString()).slice(0, 10)
    saveText(`${markers.fileName}-${day}.txt`, markerText(farewell, markers, locale))
  }
  return (
    <>
      {farewell.recording !== null && (
        <Part title={recording.title}>
          <RecordingState recording={farewell.recording} />
          {farewell.review_url !== null && farewell.recording.status === 'available' && (
            <a className={styles.back} href={farewell.review_url}>
              {recording.review}
            </a>
          )}
        </Part>
      )}
      {farewell.markers.length > 0 && (
        <Part title={markers.title}>
          <p>{markers.count(farewell.markers.length)}</p>
          <Button onPress={save}>{markers.save}</Button>
        </Part>
      )}
    </>
  )
}

type ShownRecording = NonNullable<FarewellBody['recording']>

function RecordingState({ recording }: { recording: ShownRecording }) {
  const text = useConsentText().farewell.recording
  const locale = useLocale()
  const { estimated_available_at: readyAt } = recording
  return (
    <output className={styles.state}>
      <p>{stateText(text, recording)}</p>
      {readyAt !== null && <p>{text.readyAt(momentText(readyAt, locale))}</p>}
    </output>
  )
}

type RecordingText = ReturnType<typeof useConsentText>['farewell']['recording']

// oxlint-disable-next-line typescript/consistent-return -- the compiler sees that the switch is complete
function stateText(text: RecordingText, recording: ShownRecording): string {
  switch (recording.status) {
    case 'stopped':
    case 'uploaded':
      return text.making
    case 'available':
      return text.available(durationText(Math.round(recording.recorded_sec)))
    case 'started':
    case 'paused':
    case 'failed':
    case 'expired':
      return text[recording.status]
  }
}

function Contact({ texts }: { texts: readonly ConsentText[] }) {
  const text = useConsentText().farewell
  const contact = textFor(texts, useLocale())?.contact
  return contact === undefined ? null : <p>{text.contact(contact)}</p>
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
