import { useRef } from 'react'
import type { PointerChannel } from '../../connection/pointer-channel.ts'
import { Button } from '../../design/button.tsx'
import { SpeakerIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { usePointer } from '../pointer/use-pointer.tsx'
import { Zoomable } from '../zoom/zoomable.tsx'
import styles from './handout-stage.module.css'
import type { Playback } from './playback.ts'
import { useKeptInStep } from './use-kept-in-step.ts'
import { VideoControls } from './video-controls.tsx'

interface SharedVideoProps {
  url: string
  name: string
  handoutId: string
  playback: Playback | null
  canModerate: boolean
  pointer: PointerChannel
  onShape: (shape: number) => void
  onError: () => void
}

/**
 * A video that plays in sync for everybody. The moderator's controls apply to all pages. Each person may enlarge it
 * on their own page.
 */
export function SharedVideo(props: SharedVideoProps) {
  const { url, name, handoutId, playback, canModerate, pointer, onShape, onError } = props
  const text = useToolsText().handout
  const video = useRef<HTMLVideoElement>(null)
  const {
    layer,
    button,
    onShape: onPointedShape,
  } = usePointer({ channel: pointer, handoutId, canModerate })
  const { hindrance, playByHand, unmute } = useKeptInStep(video, playback)
  return (
    <div className={styles.video}>
      <div className={styles.picture}>
        <Zoomable>
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a tenant's file brings no captions */}
          <video
            ref={video}
            className={styles.sight}
            src={url}
            aria-label={name}
            preload="auto"
            playsInline
            disablePictureInPicture
            onError={onError}
            onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight } }) => {
              if (videoHeight === 0) return
              onPointedShape(videoWidth / videoHeight)
              onShape(videoWidth / videoHeight)
            }}
          />
          {layer}
        </Zoomable>
      </div>
      {hindrance === 'refused' && (
        <div className={styles.hindrance}>
          <Button look="primary" size="large" onPress={playByHand}>
            {text.startVideo}
          </Button>
        </div>
      )}
      {hindrance === 'muted' && (
        <div className={styles.silence}>
          <Button onPress={unmute}>
            <SpeakerIcon />
            {text.unmute}
          </Button>
        </div>
      )}
      {canModerate && playback !== null && (
        <VideoControls handoutId={handoutId} playback={playback} video={video} tools={button} />
      )}
    </div>
  )
}
