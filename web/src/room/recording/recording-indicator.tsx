import { PauseIcon, WarningIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import type { Doubt } from './recording-doubt.ts'
import styles from './recording-indicator.module.css'
import { phaseOf, type RecordingPhase } from './recording-phase.ts'

interface RecordingIndicatorProps {
  /** The reason of the alarm that a moderator sees. */
  doubt: Doubt['kind'] | null
}

/** Shows if the room is being recorded. Nobody can hide it. */
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
      <span>{text[shown]}</span>
    </p>
  )
}

function shownOf(
  phase: RecordingPhase,
  { isPanelist, doubt }: { isPanelist: boolean; doubt: Doubt['kind'] | null },
): RecordingPhase | 'notRunning' {
  // Panelists can do nothing about a recording that broke off, so they are not told.
  if (phase === 'failed' && isPanelist) return 'stopped'
  return phase === 'starting' && doubt === 'notWritten' ? 'notRunning' : phase
}
