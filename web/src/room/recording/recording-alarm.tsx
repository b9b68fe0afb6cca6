import { WarningIcon } from '../../design/icons.tsx'
import styles from './recording-alarm.module.css'
import type { Doubt } from './recording-doubt.ts'
import { useRecordingText } from './recording-text.ts'

interface RecordingAlarmProps {
  doubt: Doubt['kind'] | null
  /** Beside the controls, the text does not name them. */
  isInPanel?: boolean
}

/** Warns a moderator while the room is not being recorded. */
export function RecordingAlarm({ doubt, isInPanel = false }: RecordingAlarmProps) {
  const { alarm, alarmInPanel } = useRecordingText()
  const text = isInPanel ? { ...alarm, ...alarmInPanel } : alarm
  return (
    <div role="alert" className={styles.place}>
      {doubt !== null && (
        <p className={styles.alarm}>
          <WarningIcon />
          <span>{text[doubt]}</span>
        </p>
      )}
    </div>
  )
}
