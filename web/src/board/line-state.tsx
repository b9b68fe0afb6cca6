import type { LineQuality } from '@interview-room/contract/board.ts'
import { LineBars } from '../design/line-bars.tsx'
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
    <span className={styles.line} data-line={state}>
      <LineBars full={BARS[state]} isCrossed={state === 'lost'} />
      {text.line[state]}
    </span>
  )
}
