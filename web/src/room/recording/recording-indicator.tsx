import { PauseIcon, WarningIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import type { Doubt } from './recording-doubt.ts'
import styles from './recording-indicator.module.css'
import { phaseOf, type RecordingPhase } from './recording-phase.ts'

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
  if (recording === null || phase === null) return null
  const shown = shownOf(phase, { isPanelist: role === 'panelist', doubt })
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

function shownOf(
  phase: RecordingPhase,
  { isPanelist, doubt }: { isPanelist: boolean; doubt: Doubt['kind'] | null },
): RecordingPhase | 'notRunning' {
  // That a recording broke off is for those to know who can do something about it.
  if (phase === 'failed' && isPanelist) return 'stopped'
  return phase === 'starting' && doubt === 'notWritten' ? 'notRunning' : phase
}
