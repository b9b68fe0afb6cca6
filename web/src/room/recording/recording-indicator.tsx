import { PauseIcon, WarningIcon } from '../../design/icons.tsx'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { useToolsText } from '../tools/tools-text.ts'
import styles from './recording-indicator.module.css'

/** Whether the room is being recorded; there is no way to hide it, for anybody. */
export function RecordingIndicator() {
  const text = useToolsText().recording
  const { role } = useLive()
  const status = useLiveState((state) => state.recording?.status)
  if (status === undefined || status === 'stopped') return null
  // A recording that broke off is for those to know who can do something about it.
  if (status === 'failed' && role === 'panelist') return null
  return (
    <p className={styles.recording} data-testid="recording-indicator" data-status={status}>
      {status === 'started' && <i className={styles.dot} />}
      {status === 'paused' && <PauseIcon />}
      {status === 'failed' && <WarningIcon />}
      {text[status]}
    </p>
  )
}
