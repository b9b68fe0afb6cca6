import type { LineQuality } from '@interview-room/contract/board.ts'
import { useText } from './board-text.ts'
import styles from './line-state.module.css'

const BARS: Record<LineQuality | 'unknown', number> = {
  good: 3,
  fair: 2,
  poor: 1,
  lost: 0,
  unknown: 0,
}

/** A line in bars and in words; a lost one is crossed out. */
export function LineState({ line }: { line: LineQuality | null }) {
  const text = useText()
  const state = line ?? 'unknown'
  return (
    <span className={styles.line} data-testid="line-state" data-line={state}>
      <svg viewBox="0 0 16 12" width="16" height="12" aria-hidden="true">
        {[0, 1, 2].map((bar) => (
          <rect
            key={bar}
            x={bar * 5.5 + 0.5}
            y={8 - bar * 4}
            width="4"
            height={4 + bar * 4}
            rx="1"
            opacity={bar < BARS[state] ? 1 : 0.3}
          />
        ))}
        {state === 'lost' && <path d="M1 1l14 10M15 1L1 11" />}
      </svg>
      {text.line[state]}
    </span>
  )
}
