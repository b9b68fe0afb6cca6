import { CameraIcon, MicrophoneIcon } from '../../design/icons.tsx'
import type { Check } from '../../devices/device-check.ts'
import type { RememberedDevices } from '../../devices/remembered.ts'
import { RoundToggle } from '../round-toggle.tsx'
import { useText } from '../text.ts'
import { Mirror } from './mirror.tsx'
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
  return (
    <Mirror camera={camera}>
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
    </Mirror>
  )
}
