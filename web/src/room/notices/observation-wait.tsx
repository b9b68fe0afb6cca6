import { EyeIcon } from '../../design/icons.tsx'
import { useConsentText } from '../../i18n/consent-text.ts'
import { useMayWatch } from '../consent/use-may-watch.ts'
import styles from './room-notices.module.css'

/** Says to those who only watch that they receive nothing before everybody has agreed. */
export function ObservationWait() {
  const text = useConsentText().staff
  const mayWatch = useMayWatch()
  if (mayWatch) return null
  return (
    <p className={styles.notice} data-tone="warn">
      <EyeIcon />
      {text.observing}
    </p>
  )
}
