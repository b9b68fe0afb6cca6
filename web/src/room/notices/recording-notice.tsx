import { useEffect, useRef, useState } from 'react'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { changeOf, type RecordingChange } from '../recording/recording-change.ts'
import styles from './room-notices.module.css'

const SHOWN_MS = 8_000

/** Shows for a moment that a recording has begun, paused, resumed or ended. The indicator stays. */
export function RecordingNotice() {
  const text = useToolsText().recording.news
  const recording = useLiveState((state) => state.recording)
  const before = useRef<typeof recording>(null)
  const [news, setNews] = useState<RecordingChange | null>(null)
  useEffect(() => {
    const latest = changeOf(before.current, recording)
    before.current = recording
    if (latest !== null) setNews(latest)
  }, [recording])
  useEffect(() => {
    if (news === null) return undefined
    const timer = setTimeout(() => setNews(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [news])
  return (
    <div role="alert">
      {news !== null && (
        <p
          className={styles.notice}
          data-tone={news === 'started' || news === 'resumed' ? 'urgent' : 'warn'}
        >
          {text[news]}
        </p>
      )}
    </div>
  )
}
