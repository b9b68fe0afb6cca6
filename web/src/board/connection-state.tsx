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

interface ConnectionStateProps {
  line: ConnectionQuality | null
  /** Shows the bars only, and says the words to screen readers. */
  isShort?: boolean
}

/** The connection quality as bars and words. A lost connection is crossed out. */
export function ConnectionState({ line, isShort = false }: ConnectionStateProps) {
  const text = useText()
  const state = line ?? 'unknown'
  return (
    <span className={styles.connection} data-quality={state} title={text.line[state]}>
      <SignalBars full={BARS[state]} isCrossed={state === 'lost'} />
      <span className={isShort ? 'visually-hidden' : ''}>{text.line[state]}</span>
    </span>
  )
}
