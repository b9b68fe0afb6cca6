import { useEffect, useRef, useState } from 'react'
import { useLiveState } from '../../live/use-live.tsx'
import styles from '../notices/room-notices.module.css'
import { useToolsText } from '../tools/tools-text.ts'
import { newsOf, type RecordingNews } from './recording-news.ts'

const SHOWN_MS = 8_000

/** Says at once when a recording begins, pauses, goes on or ends; the indicator stays behind. */
export function RecordingNotice() {
  const text = useToolsText().recording.news
  const recording = useLiveState((state) => state.recording)
  const before = useRef<typeof recording>(null)
  const [news, setNews] = useState<RecordingNews | null>(null)
  useEffect(() => {
    const latest = newsOf(before.current, recording)
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
