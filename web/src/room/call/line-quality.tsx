import type { Quality } from '../../connection/call-state.ts'
import { useText } from '../text.ts'
import styles from './line-quality.module.css'

const BARS: Record<Quality, number> = { good: 3, fair: 2, poor: 1, lost: 0, unknown: 0 }

interface LineQualityProps {
  quality: Quality
  /** In words on the smallest tile, too. */
  isSpelled?: boolean
}

/** The state of a line in bars and in words. Where there is no room only a bad line is spelled out. */
export function LineQuality({ quality, isSpelled = false }: LineQualityProps) {
  const words = useText().call.quality[quality]
  const isWorthSaying = isSpelled || quality === 'poor' || quality === 'lost'
  return (
    <span className={styles.quality} data-quality={quality} title={words}>
      <svg viewBox="0 0 16 12" width="16" height="12" aria-hidden="true">
        {[0, 1, 2].map((bar) => (
          <rect
            key={bar}
            x={bar * 5.5 + 0.5}
            y={8 - bar * 4}
            width="4"
            height={4 + bar * 4}
            rx="1"
            opacity={bar < BARS[quality] ? 1 : 0.3}
          />
        ))}
      </svg>
      <span className={isWorthSaying ? '' : styles.silent}>{words}</span>
    </span>
  )
}
