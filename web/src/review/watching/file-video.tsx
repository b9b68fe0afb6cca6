import type { ClipBody } from '@interview-room/contract/clips.ts'
import type { ReelBody } from '@interview-room/contract/reels.ts'
import { useEffect, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { useShareText } from '../../i18n/share-text.ts'
import type { ReviewApi } from '../review-api.ts'
import styles from './file-video.module.css'
import { Watermark } from './watermark.tsx'

interface FileVideoProps {
  api: ReviewApi
  file: ClipBody | ReelBody
  watermark: string | null
}

/** Plays a clip or a reel. An address lives for minutes, so a player that fails gets a new one at the same place. */
export function FileVideo({ api, file, watermark }: FileVideoProps) {
  const text = useShareText().clipPage
  const { id } = file
  const isReel = 'room_id' in file
  const [source, setSource] = useState<{ url: string; atSec: number } | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const [attempt, setAttempt] = useState({ count: 0, atSec: 0 })

  useEffect(() => {
    let isHere = true
    const issued = isReel ? api.reelPlayback(id) : api.clipPlayback(id)
    issued.then(
      ({ url }) => isHere && setSource({ url, atSec: attempt.atSec }),
      () => isHere && setHasFailed(true),
    )
    return () => {
      isHere = false
    }
  }, [api, id, isReel, attempt])

  function retry(): void {
    setHasFailed(false)
    setAttempt(({ count, atSec }) => ({ count: count + 1, atSec }))
  }

  if (hasFailed) {
    return (
      <div className={styles.failed} role="alert">
        <p>{text.unplayable}</p>
        <Button onPress={retry}>{text.retry}</Button>
      </div>
    )
  }
  return (
    <div className={styles.frame}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the captions of a file are in it */}
      <video
        className={styles.video}
        controls
        // Only the page draws the watermark, so the video does not leave it.
        {...(watermark !== null && {
          controlsList: 'nofullscreen nodownload',
          disablePictureInPicture: true,
        })}
        playsInline
        aria-label={text.video}
        src={source?.url}
        onLoadedMetadata={({ currentTarget }) => {
          currentTarget.currentTime = source?.atSec ?? 0
        }}
        onError={({ currentTarget }) => {
          const atSec = currentTarget.currentTime
          // The second failure at one place is no expired address.
          if (attempt.count > 0 && atSec <= attempt.atSec) setHasFailed(true)
          else setAttempt(({ count }) => ({ count: count + 1, atSec }))
        }}
      />
      <Watermark name={watermark} />
    </div>
  )
}
