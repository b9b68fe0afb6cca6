import { useEffect, useRef } from 'react'
import { CameraIcon, MicrophoneIcon } from '../../design/icons.tsx'
import type { Check } from '../../devices/device-check.ts'
import type { RememberedDevices } from '../../devices/remembered.ts'
import { RoundToggle } from '../round-toggle.tsx'
import { useText } from '../text.ts'
import styles from './preview.module.css'

interface PreviewProps {
  camera: Check
  microphone: Check
  wish: RememberedDevices
  onToggle: (kind: 'microphone' | 'camera') => void
}

/** Oneself as in a mirror, and with what one will join. */
export function Preview({ camera, microphone, wish, onToggle }: PreviewProps) {
  const text = useText()
  const video = useRef<HTMLVideoElement>(null)
  const track = camera.status === 'ready' ? camera.track : null
  useEffect(() => {
    if (video.current === null) return
    video.current.srcObject = track === null ? null : new MediaStream([track])
  }, [track])

  return (
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
      <div className={styles.toggles}>
        <RoundToggle
          icon={<MicrophoneIcon isOff={!wish.isMicrophoneOn} />}
          label={wish.isMicrophoneOn ? text.call.muteMicrophone : text.call.unmuteMicrophone}
          isOn={wish.isMicrophoneOn}
          isDisabled={microphone.status === 'failed'}
          onPress={() => onToggle('microphone')}
        />
        <RoundToggle
          icon={<CameraIcon isOff={!wish.isCameraOn} />}
          label={wish.isCameraOn ? text.call.stopCamera : text.call.startCamera}
          isOn={wish.isCameraOn}
          isDisabled={camera.status === 'failed'}
          onPress={() => onToggle('camera')}
        />
      </div>
    </div>
  )
}

function words(text: ReturnType<typeof useText>, camera: Check): string {
  if (camera.status === 'failed') return text.problem.camera[camera.problem]
  return {
    asking: text.prejoin.allow,
    off: text.prejoin.cameraOff,
    ready: text.prejoin.cameraStarting,
  }[camera.status]
}
