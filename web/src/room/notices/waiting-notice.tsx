import { useText } from '../../i18n/text.ts'
import { useLiveState } from '../../live/use-live.tsx'
import styles from './waiting-notice.module.css'

interface WaitingNoticeProps {
  isAlone: boolean
  /** Whether the person at this page has no tile of their own. */
  isWatching: boolean
}

/**
 * Says that nobody else is there yet. Who only watches and is shown nothing reads it in the place of the
 * videos instead.
 */
export function WaitingNotice({ isAlone, isWatching }: WaitingNoticeProps) {
  const text = useText()
  const hasHandout = useLiveState((state) => state.presentation !== null)
  if (!isAlone || (isWatching && !hasHandout)) return null
  return (
    <div className={styles.waiting}>
      <strong>{isWatching ? text.observer.nobodyYet : text.call.waiting}</strong>
    </div>
  )
}
