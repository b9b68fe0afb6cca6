import { useEffect, useRef } from 'react'
import { useStudy } from '../study-context.ts'
import styles from './axis.module.css'

/** Shorter ways of the pointer show the same picture. */
const STEP_SEC = 0.2

/** The picture of the recording at a position. It follows the pointer as fast as the file can be read. */
export function Still({ sec }: { sec: number | null }) {
  const { player } = useStudy()
  const video = useRef<HTMLVideoElement>(null)

  function show(): void {
    const place = sec === null ? null : player.placeOf(sec)
    if (video.current === null || place === null || video.current.seeking) return
    if (video.current.getAttribute('src') !== place.url) video.current.src = place.url
    else if (Math.abs(video.current.currentTime - place.sec) > STEP_SEC)
      video.current.currentTime = place.sec
  }

  useEffect(show)
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- a picture without sound
    <video
      ref={video}
      className={styles.still}
      muted
      playsInline
      preload="metadata"
      tabIndex={-1}
      onLoadedMetadata={show}
      onSeeked={show}
    />
  )
}
