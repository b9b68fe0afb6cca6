import { PauseIcon, WarningIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import type { Doubt } from './recording-doubt.ts'
import styles from './recording-indicator.module.css'
import { phaseOf } from './recording-phase.ts'

interface RecordingIndicatorProps {
  /** What a moderator is alarmed of. */
  doubt: Doubt['kind'] | null
}

/** Whether the room is being recorded; there is no way to hide it, for anybody. */
export function RecordingIndicator({ doubt }: RecordingIndicatorProps) {
  const text = useToolsText().recording
  const { role } = useLive()
  const recording = useLiveState((state) => state.recording)
  const phase = phaseOf(recording)
  if (recording === null || phase === null || phase === 'stopped') return null
  // A recording that broke off is for those to know who can do something about it.
  if (phase === 'failed' && role === 'panelist') return null
  const shown = phase === 'starting' && doubt === 'notWritten' ? 'notRunning' : phase
  return (
    <p className={styles.recording} data-shown={shown}>
      {shown === 'starting' && <i className={styles.ring} />}
      {shown === 'started' && <i className={styles.dot} />}
      {shown === 'paused' && <PauseIcon />}
      {(shown === 'failed' || shown === 'notRunning') && <WarningIcon />}
      {text[shown]}
    </p>
  )
}
