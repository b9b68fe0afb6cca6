import type { Quality } from '../../connection/call-state.ts'
import { LineBars } from '../../design/line-bars.tsx'
import { useText } from '../../i18n/text.ts'
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
      <LineBars full={BARS[quality]} />
      <span className={isWorthSaying ? '' : styles.silent}>{words}</span>
    </span>
  )
}
