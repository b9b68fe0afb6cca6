import { useToolsText } from '../../i18n/tools-text.ts'
import { useServiceNow } from '../../live/use-service-now.ts'
import styles from './slot-clock.module.css'
import { type SlotTimes, slotTimes } from './slot-times.ts'

const TICK_MS = 1_000

/** The elapsed and remaining time of the slot, for moderators and operators. */
export function SlotClock({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }) {
  const text = useToolsText().slot
  const times = slotTimes({ startsAt, endsAt }, useServiceNow(TICK_MS))
  return (
    <div className={styles.clock} role="timer" aria-label={text.label} data-phase={times.phase}>
      {wordsOf(text, times).map((words) => (
        <span key={words}>{words}</span>
      ))}
    </div>
  )
}

// oxlint-disable-next-line typescript/consistent-return -- the compiler sees that the switch is complete
function wordsOf(text: ReturnType<typeof useToolsText>['slot'], times: SlotTimes): string[] {
  switch (times.phase) {
    case 'before':
      return [text.startsIn(times.wait)]
    case 'running':
      return [text.elapsed(times.elapsed), text.remaining(times.remaining)]
    case 'over':
      return [text.over(times.over)]
  }
}
