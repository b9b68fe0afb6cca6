import type { ConnectionQuality } from '@interview-room/contract/board.ts'
import { SignalBars } from '../design/signal-bars.tsx'
import { useText } from './board-text.ts'
import styles from './connection-state.module.css'

const BARS: Record<ConnectionQuality | 'unknown', number> = {
  good: 3,
  fair: 2,
  poor: 1,
  lost: 0,
  unknown: 0,
}

/** The connection quality as bars and words. A lost connection is crossed out. */
export function ConnectionState({ line }: { line: ConnectionQuality | null }) {
  const text = useText()
  const state = line ?? 'unknown'
  return (
    <span className={styles.connection} data-quality={state}>
      <SignalBars full={BARS[state]} isCrossed={state === 'lost'} />
      <span>{text.line[state]}</span>
    </span>
  )
}
