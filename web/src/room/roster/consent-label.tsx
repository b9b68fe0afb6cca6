import type { Person } from '@interview-room/contract/live-stream.ts'
import { useConsentText } from '../../i18n/consent-text.ts'
import styles from './roster-panel.module.css'

/** Of a panelist, for staff: how it stands with the consent to the recording. */
export function ConsentLabel({ person }: { person: Person }) {
  const text = useConsentText().staff.state
  const state = person.consents?.recording
  if (state === undefined || state === 'not_asked') return null
  return <span className={styles.test}>{text[state]}</span>
}
