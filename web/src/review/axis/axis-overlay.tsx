import { useEffect, useRef, useState } from 'react'
import { timecode } from '../../i18n/times.ts'
import { useStore } from '../../pages/store.ts'
import { useStudy } from '../study-context.ts'
import { lineAt } from '../transcript/transcript-places.ts'
import styles from './axis.module.css'
import { Still } from './still.tsx'

/** The position of the video. */
export function Playhead() {
  const { player } = useStudy()
  const share = useStore(player.store, ({ sec, durationSec }) => sec / Math.max(durationSec, 1))
  return <div className={styles.playhead} style={{ left: `${share * 100}%` }} />
}

/** The chosen range, and what the search has found. */
export function Marked() {
  const { desk, player } = useStudy()
  const range = useStore(desk, (state) => state.range)
  const hits = useStore(desk, (state) => state.hits)
  const durationSec = useStore(player.store, (state) => Math.max(state.durationSec, 1))
  const share = (sec: number) => `${(sec / durationSec) * 100}%`
  return (
    <>
      {range !== null && (
        <div
          className={styles.range}
          style={{ left: share(range.startSec), width: share(range.endSec - range.startSec) }}
        />
      )}
      {hits.length > 0 && (
        // One path, because a short word may be in every line.
        <svg
          className={styles.hits}
          viewBox={`0 0 ${durationSec} 1`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={hits.map((sec) => `M${sec} 0v1`).join('')} vectorEffect="non-scaling-stroke" />
        </svg>
      )}
    </>
  )
}

/** Beyond this share of the axis, the words stand on the other side of the pointer. */
const TURN_AT = 0.6

/** A press on the axis seeks, and dragging scrubs. Under the pointer stand the time, its picture and what is said then. */
export function Preview() {
  const { player, transcripts } = useStudy()
  const [share, setShare] = useState<number | null>(null)
  const own = useRef<HTMLDivElement>(null)
  usePointer(own, setShare)
  const sec = (share ?? 0) * player.store.get().durationSec
  const lines = transcripts.lines.data ?? []
  const line = lines[lineAt(lines, sec)]
  const isSaid = line !== undefined && sec < line.endSec
  return (
    <div
      ref={own}
      className={styles.preview}
      style={{ left: `${(share ?? 0) * 100}%` }}
      hidden={share === null}
      aria-hidden="true"
    >
      <p data-side={(share ?? 0) > TURN_AT ? 'start' : 'end'}>
        <Still sec={share === null ? null : sec} />
        <strong>{timecode(sec)}</strong>
        {isSaid && <span>{line.text}</span>}
      </p>
    </div>
  )
}

function usePointer(
  own: React.RefObject<HTMLDivElement | null>,
  onHover: (share: number | null) => void,
): void {
  const { player } = useStudy()
  useEffect(() => {
    const over = own.current?.parentElement
    const axis = over?.parentElement
    if (over == null || axis == null) return undefined
    const listening = new AbortController()
    const { signal } = listening
    const shareAt = ({ clientX }: PointerEvent) => {
      const { left, width } = over.getBoundingClientRect()
      const share = (clientX - left) / Math.max(width, 1)
      return share >= 0 && share <= 1 ? share : null
    }
    const isFree = ({ target }: Event) =>
      target instanceof Element && target.closest('[role=option], button') === null
    const scrub = (event: PointerEvent) => {
      const share = shareAt(event)
      if (share !== null && isFree(event)) player.seek(share * player.store.get().durationSec)
    }
    axis.addEventListener('pointerdown', scrub, { signal })
    axis.addEventListener(
      'pointermove',
      (event) => {
        onHover(event.pointerType === 'mouse' ? shareAt(event) : null)
        if (event.buttons === 1 && event.pointerType === 'mouse') scrub(event)
      },
      { signal },
    )
    axis.addEventListener('pointerleave', () => onHover(null), { signal })
    return () => listening.abort()
  }, [own, onHover, player])
}
