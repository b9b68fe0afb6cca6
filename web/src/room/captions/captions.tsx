import { useEffect, useMemo, useState } from 'react'
import { useLiveState } from '../../live/use-live.tsx'
import styles from './captions.module.css'
import { CAPTION_STAYS_MS, currentCaptions, newestOf } from './current-captions.ts'
import type { CaptionChoice } from './use-caption-choice.ts'

/**
 * The words of people who speak now, in two rows. It is no live region: a screen reader reads it on demand, and is not interrupted
 * three times a second.
 */
export function Captions({ choice }: { choice: CaptionChoice }) {
  const utterances = useLiveState((state) => state.utterances)
  const { language, size } = choice
  const captions = useMemo(() => currentCaptions(utterances, language), [utterances, language])
  const isOver = useIsOver(useMemo(() => newestOf(utterances), [utterances]))
  if (!choice.isOn || isOver || captions.length === 0) return null
  return (
    <div className={styles.captions} data-captions data-size={size} data-rows={captions.length}>
      {captions.map((caption) => (
        <p key={caption.segment} className={styles.caption}>
          <bdi className={styles.name}>{caption.name}</bdi>
          <span className={styles.rows}>
            <span lang={caption.language} dir="auto">
              {caption.text}
            </span>
          </span>
        </p>
      ))}
    </div>
  )
}

/** True once nobody has said anything for a while. */
function useIsOver(newestMs: number | null): boolean {
  const [overMs, setOverMs] = useState<number | null>(null)
  useEffect(() => {
    if (newestMs === null) return undefined
    const leftMs = newestMs + CAPTION_STAYS_MS - performance.now()
    const timer = setTimeout(() => setOverMs(newestMs), leftMs)
    return () => clearTimeout(timer)
  }, [newestMs])
  return newestMs === null || overMs === newestMs
}
