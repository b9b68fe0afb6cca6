import { CameraIcon, MicrophoneIcon } from '../../design/icons.tsx'
import type { Check } from '../../devices/device-check.ts'
import { Mirror } from '../../devices/mirror.tsx'
import type { RememberedDevices } from '../../devices/remembered.ts'
import { useText } from '../../i18n/text.ts'
import { RoundToggle } from './round-toggle.tsx'

interface PreviewProps {
  camera: Check
  microphone: Check
  wish: RememberedDevices
  onToggle: (kind: 'microphone' | 'camera') => void
}

/** The own mirrored video, and the devices that one will join with. */
export function Preview({ camera, microphone, wish, onToggle }: PreviewProps) {
  const text = useText()
  return (
    <Mirror camera={camera} microphone={microphone} isMicrophoneOn={wish.isMicrophoneOn}>
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
    </Mirror>
  )
}
