import type { Quality } from '../../connection/call-state.ts'
import { SignalBars } from '../../design/signal-bars.tsx'
import { useText } from '../../i18n/text.ts'
import styles from './quality-label.module.css'

const BARS: Record<Quality, number> = { good: 3, fair: 2, poor: 1, lost: 0, unknown: 0 }

interface QualityLabelProps {
  quality: Quality
  /** Shows the words on the smallest tile, too. */
  isSpelled?: boolean
}

/** Connection quality as bars and words. */
export function QualityLabel({ quality, isSpelled = false }: QualityLabelProps) {
  const words = useText().call.quality[quality]
  return (
    <span className={styles.quality} data-quality={quality} title={words}>
      <SignalBars full={BARS[quality]} />
      <span className={isSpelled ? '' : styles.silent}>{words}</span>
    </span>
  )
}
