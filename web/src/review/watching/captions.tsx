import { useStore } from '../../pages/store.ts'
import type { TranscriptLine } from '../../player/vtt.ts'
import { useStudy } from '../study-context.ts'
import styles from './screen.module.css'

/** Two people at once. More would cover the picture. */
const LINES_MAX = 2

/** The lines that are being spoken, over the video. */
export function Captions() {
  const { player, desk, transcripts } = useStudy()
  const lines = transcripts.lines.data ?? []
  const isOn = useStore(desk, (state) => state.hasCaptions)
  const spoken = useStore(player.store, ({ sec }) => (isOn ? indexesAt(lines, sec) : ''))
  if (spoken === '') return null
  return (
    <div className={styles.captions} lang={transcripts.language}>
      {spoken.split(' ').map((index) => (
        <p key={index}>{lines[Number(index)]?.text}</p>
      ))}
    </div>
  )
}

/** As a text, which compares equal while nothing changes. */
function indexesAt(lines: readonly TranscriptLine[], sec: number): string {
  const indexes = lines.flatMap(({ startSec, endSec }, index) =>
    sec >= startSec && sec < endSec ? [index] : [],
  )
  return indexes.slice(-LINES_MAX).join(' ')
}
