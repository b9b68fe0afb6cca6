import type { AdmissionCheckBody } from '@interview-room/contract/admission-check.ts'
import { EyeIcon } from '../../design/icons.tsx'
import type { ConsentDictionary } from '../../i18n/consent-ja.ts'
import { useConsentText } from '../../i18n/consent-text.ts'
import { useLocale } from '../../i18n/language.tsx'
import { appointmentText } from '../../pages/countdown.ts'
import { HelpContact } from '../../pages/help-contact.tsx'
import { textFor } from '../../pages/text-for.ts'
import styles from './interview-info.module.css'

interface InterviewProps {
  preview: AdmissionCheckBody
}

/** Information before the entry: the interview, its time, the person's name, and who may watch or record it. */
export function InterviewInfo({ preview }: InterviewProps) {
  const text = useConsentText().info
  return (
    <section className={styles.info} aria-label={text.label}>
      <InterviewFacts preview={preview} isWhole />
      <InterviewNotes preview={preview} />
    </section>
  )
}

/** The time, the company, and the person's role. As a whole, the interview's and the person's name, too. */
export function InterviewFacts({ preview, isWhole }: InterviewProps & { isWhole: boolean }) {
  const text = useConsentText().info
  const locale = useLocale()
  const { session, role, display_name: name, consent_texts: texts } = preview
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const about = textFor(texts, locale)
  return (
    <dl className={styles.facts}>
      {isWhole && session?.name != null && <Row label={text.interview} value={session.name} />}
      {session !== null && (
        <Row
          label={text.appointment}
          value={appointmentText(
            { startsAt: new Date(session.starts_at), endsAt: new Date(session.ends_at) },
            locale,
            timeZone,
          )}
        />
      )}
      {about !== undefined && <Row label={text.company} value={about.company} />}
      <Row label={text.role} value={text.roles[role]} />
      {isWhole && name !== null && <Row label={text.name} value={name} />}
    </dl>
  )
}

/** Notes on the people who may watch or record the interview, and the contact for help. */
export function InterviewNotes({ preview }: InterviewProps) {
  const text = useConsentText().info
  return (
    <>
      <ul className={styles.notes}>
        {notesOf(text, preview).map((note) => (
          <li key={note}>
            <EyeIcon />
            <span>{note}</span>
          </li>
        ))}
      </ul>
      <HelpContact />
    </>
  )
}

function Row({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  )
}

type InfoText = ConsentDictionary['info']

/** Notes about recording and watching, in the words for panelists or for staff. */
function notesOf(text: InfoText, preview: AdmissionCheckBody): string[] {
  return preview.role === 'panelist' ? notesOfPanelist(text, preview) : notesOfStaff(text, preview)
}

function notesOfPanelist(text: InfoText, preview: AdmissionCheckBody): string[] {
  const { recording, observation, transcription = 'not_asked' } = preview.consents
  const isKnown = recording === 'given' || recording === 'obtained'
  return [
    text.recorded[isKnown ? recording : preview.recording_consent],
    observation === 'not_asked' || observation === 'given' ? text.watched : text.watchedIfAgreed,
    ...(transcription === 'not_asked' || transcription === 'given'
      ? []
      : [text.transcribedIfAgreed]),
  ]
}

function notesOfStaff(text: InfoText, preview: AdmissionCheckBody): string[] {
  const recording = preview.is_consent_obtained ? 'obtained' : preview.recording_consent
  const observing = preview.observation_consent === 'required' ? [text.staff.observing] : []
  return [text.staff[recording], ...observing]
}
