import { AbsentIcon, HelpIcon, RecordingIcon } from '../design/icons.tsx'
import { SignalBars } from '../design/signal-bars.tsx'
import styles from './severity-icon.module.css'
import type { Severity } from './severity.ts'

/** Each severity has its own shape and colour. Words stand beside it. */
export function SeverityIcon({ severity }: { severity: Severity }) {
  return (
    <span className={styles.icon} data-severity={severity}>
      {severity === 'help' && <HelpIcon />}
      {severity === 'recording' && <RecordingIcon isOff />}
      {severity === 'connection' && <SignalBars full={1} />}
      {severity === 'missing' && <AbsentIcon />}
    </span>
  )
}
