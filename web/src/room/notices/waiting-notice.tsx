import { useText } from '../../i18n/text.ts'
import { useLiveState } from '../../live/use-live.tsx'
import styles from './waiting-notice.module.css'

interface WaitingNoticeProps {
  isAlone: boolean
  /** True if the person at this page has no tile. */
  isWatching: boolean
}

/**
 * Tells that nobody else is there yet. A person who only watches and sees no handout reads it in place of the videos
 * instead.
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
