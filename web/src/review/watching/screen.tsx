import { useEffect, useRef } from 'react'
import { Button } from '../../design/button.tsx'
import { useStore } from '../../pages/store.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import { Captions } from './captions.tsx'
import { Controls } from './controls.tsx'
import styles from './screen.module.css'
import { Watermark } from './watermark.tsx'

/** The video with its captions and controls. */
export function Screen() {
  const text = useText()
  const { player, review } = useStudy()
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => (video.current === null ? undefined : player.attach(video.current)), [player])
  return (
    <section
      className={styles.stage}
      data-stage
      data-scheme="dark"
      aria-label={text.watching.title}
    >
      <div className={styles.picture}>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the page draws the transcript over it */}
        <video
          ref={video}
          className={styles.video}
          aria-label={text.watching.video}
          playsInline
          disablePictureInPicture={review.watermark !== null}
          preload="auto"
          onClick={() => player.toggle()}
        />
        <Waiting />
        <Captions />
        <Watermark name={review.watermark} />
        <Failure />
      </div>
      <Controls video={video} />
    </section>
  )
}

function Waiting() {
  const { player } = useStudy()
  const isWaiting = useStore(player.store, (state) => state.isWaiting && !state.hasFailed)
  return isWaiting && <div className={styles.waiting} aria-hidden="true" />
}

function Failure() {
  const text = useText().watching
  const { player } = useStudy()
  const hasFailed = useStore(player.store, (state) => state.hasFailed)
  if (!hasFailed) return null
  return (
    <div className={styles.failure} role="alert">
      <p>{text.failed}</p>
      <Button look="primary" onPress={() => player.retry()}>
        {text.retry}
      </Button>
    </div>
  )
}
