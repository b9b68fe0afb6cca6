import type { ReactNode } from 'react'
import { Button } from '../../../design/button.tsx'
import styles from './player.module.css'
import { useRecordingsText } from './text.ts'
import type { Video } from './use-video.ts'

interface PlayerProps {
  video: Video
  label: string
  /** Captions. */
  children?: ReactNode
}

/** Shows a video on request. When its URL expires, a new one is requested. */
export function Player({ video, label, children }: PlayerProps) {
  const text = useRecordingsText()
  const { ref, url, isBusy, hasFailed, play, onLoaded, onFailed } = video
  return (
    <div className={styles.player}>
      <div className={styles.stage}>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- given as children, once there are any */}
        <video
          ref={ref}
          aria-label={label}
          controls={url !== null}
          autoPlay
          playsInline
          preload="metadata"
          {...(url !== null && { src: url })}
          onLoadedMetadata={onLoaded}
          onError={onFailed}
        >
          {children}
        </video>
        {url === null && (
          <Button look="primary" isPending={isBusy} onPress={() => void play()}>
            {isBusy ? text.playing : text.play}
          </Button>
        )}
      </div>
      {hasFailed && <p role="alert">{text.unplayable}</p>}
    </div>
  )
}
