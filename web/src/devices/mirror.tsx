import { type ReactNode, useEffect, useRef } from 'react'
import { useText } from '../i18n/text.ts'
import type { Check } from './device-check.ts'
import { MicrophoneLevel, SilenceNotice, useHeard } from './microphone-level.tsx'
import styles from './mirror.module.css'
import { problemTitle } from './problem-notice.tsx'

interface MirrorProps {
  camera: Check
  microphone: Check
  isMicrophoneOn: boolean
  /** Switches beside the microphone's level. */
  children?: ReactNode
}

/** The own mirrored video or the reason why there is none, and the level of the own microphone. */
export function Mirror({ camera, microphone, isMicrophoneOn, children }: MirrorProps) {
  const text = useText()
  const heard = useHeard(microphone, isMicrophoneOn)
  const video = useRef<HTMLVideoElement>(null)
  const track = camera.status === 'ready' ? camera.track : null
  useEffect(() => {
    if (video.current === null) return
    video.current.srcObject = track === null ? null : new MediaStream([track])
  }, [track])

  return (
    <div className={styles.mirror}>
      <div className={styles.preview}>
        <video
          ref={video}
          autoPlay
          playsInline
          muted
          hidden={track === null}
          aria-label={text.prejoin.preview}
        />
        {track === null && <p className={styles.words}>{words(text, camera)}</p>}
        <div className={styles.bar}>
          <div className={styles.level}>
            <MicrophoneLevel level={heard.level} />
          </div>
          {children}
        </div>
      </div>
      <SilenceNotice heard={heard} />
    </div>
  )
}

function words(text: ReturnType<typeof useText>, camera: Check): string {
  if (camera.status === 'failed') return problemTitle(text.problem, 'camera', camera.problem)
  return {
    asking: text.prejoin.allow,
    blurring: text.prejoin.blurring,
    off: text.prejoin.cameraOff,
    ready: text.prejoin.cameraStarting,
  }[camera.status]
}
