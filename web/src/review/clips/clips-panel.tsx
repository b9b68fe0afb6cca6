import { useStore } from '../../pages/store.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import { ClipForm } from './clip-form.tsx'
import { ClipRow } from './clip-row.tsx'
import styles from './clips.module.css'
import { Reels } from './reels.tsx'

/** The clips as a list of work: pending ones say so, and block nothing. */
export function ClipsPanel() {
  const text = useText().clips
  const { clips, desk } = useStudy()
  const range = useStore(desk, (state) => state.range)
  const all = clips.data?.toReversed() ?? []
  return (
    <div className={styles.panel}>
      {range === null ? <p className={styles.lead}>{text.lead}</p> : <ClipForm range={range} />}
      <Reels />
      {clips.hasFailed && <output className={styles.lead}>{text.stale}</output>}
      {all.length > 0 ? (
        <ul className={styles.clips} aria-label={text.list}>
          {all.map((clip) => (
            <ClipRow key={clip.id} clip={clip} />
          ))}
        </ul>
      ) : (
        <p className={styles.lead}>{clips.data === undefined ? text.loading : text.none}</p>
      )}
    </div>
  )
}
