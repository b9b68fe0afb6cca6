import { mayWatch } from '@interview-room/contract/consent-rules.ts'
import { EyeIcon } from '../../design/icons.tsx'
import { useConsentText } from '../../i18n/consent-text.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { observationStatesOf } from '../consent/open-consents.ts'
import styles from './room-notices.module.css'

/** Says to those who only watch that they receive nothing before everybody has agreed. */
export function ObservationWait() {
  const text = useConsentText().staff
  const { role } = useLive()
  const roster = useLiveState((state) => state.roster)
  if (mayWatch(role, observationStatesOf(roster))) return null
  return (
    <p className={styles.notice} data-tone="warn">
      <EyeIcon />
      {text.observing}
    </p>
  )
}
