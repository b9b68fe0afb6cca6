import { useMedia } from '../../design/use-media.ts'
import { timecode } from '../../i18n/times.ts'
import { useStore } from '../../pages/store.ts'
import { useStudy } from '../study-context.ts'
import styles from './axis.module.css'
import { ticksOf } from './ticks.ts'

/** The times. Screen readers read those of the events and of the position instead. */
export function Ruler({ zoom }: { zoom: number }) {
  const { player } = useStudy()
  const durationSec = useStore(player.store, (state) => state.durationSec)
  // Half as many times fit on a phone.
  const isNarrow = useMedia('(max-width: 30rem)')
  return (
    <div className={styles.row} aria-hidden="true">
      <span className={styles.label} />
      <div className={styles.ruler}>
        {ticksOf(durationSec, isNarrow ? zoom / 2 : zoom).map((sec) => (
          <span key={sec} style={{ left: `${(sec / Math.max(durationSec, 1)) * 100}%` }}>
            {timecode(sec)}
          </span>
        ))}
      </div>
    </div>
  )
}
