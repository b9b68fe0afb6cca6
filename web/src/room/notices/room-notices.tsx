import { ClockIcon, WarningIcon, EyeIcon } from '../../design/icons.tsx'
import { useConsentText } from '../../i18n/consent-text.ts'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { useServiceNow } from '../../live/use-service-now.ts'
import { useMayWatch } from '../consent/use-may-watch.ts'
import styles from './room-notices.module.css'
import { warningAt } from './window-end.ts'

const TICK_MS = 1_000

/** Notices of the room for everybody in it. Usually there are none. */
export function RoomNotices({ isMediaUp }: { isMediaUp: boolean }) {
  return (
    <output className={styles.notices}>
      <WindowEnd />
      <ObservationWait />
      {isMediaUp && <StreamLost />}
    </output>
  )
}

function WindowEnd() {
  const text = useToolsText().notices
  const closesAt = useLiveState((state) => state.slot?.closesAt ?? null)
  const nowMs = useServiceNow(TICK_MS)
  const warning = closesAt === null ? null : warningAt(closesAt.getTime() - nowMs)
  if (warning === null) return null
  return (
    <p className={styles.notice} data-tone={warning <= 1 ? 'urgent' : 'warn'}>
      <ClockIcon />
      <span>{text.endsIn[warning]}</span>
    </p>
  )
}

function StreamLost() {
  const text = useToolsText().notices
  const stream = useLiveState((state) => state.stream)
  if (stream !== 'reconnecting') return null
  return (
    <p className={styles.notice} data-tone="warn">
      <WarningIcon />
      {text.streamReconnecting}
    </p>
  )
}

/** Tells people who only watch that they receive no media until everybody has agreed. */
function ObservationWait() {
  const text = useConsentText().staff
  const mayWatch = useMayWatch()
  if (mayWatch) return null
  return (
    <p className={styles.notice} data-tone="warn">
      <EyeIcon />
      {text.observing}
    </p>
  )
}
