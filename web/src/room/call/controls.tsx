import type { CallConnection } from '../../connection/call-connection.ts'
import type { InRoom } from '../../connection/call-state.ts'
import { CameraIcon, LeaveIcon, MicrophoneIcon } from '../../design/icons.tsx'
import { rememberDevices } from '../../devices/remembered.ts'
import { useText } from '../../i18n/text.ts'
import type { StageView } from '../stage/use-layout.ts'
import { ControlButton } from '../tools/control-button.tsx'
import { useShortcuts } from '../tools/use-shortcuts.ts'
import styles from './controls.module.css'
import { DeviceMenu } from './device-menu.tsx'
import { RoomTools } from './room-tools.tsx'

interface ControlsProps {
  call: CallConnection
  state: InRoom
  view: StageView
}

export function Controls({ call, state, view }: ControlsProps) {
  const { facts, scene } = state
  const text = useText().call
  const { canPublishMicrophone, canPublishCamera } = facts.capabilities
  const isMicrophoneOn = scene.microphone !== 'off'
  const isCameraOn = scene.camera !== 'off'

  function toggleMicrophone(): void {
    if (scene.microphone === 'starting') return
    rememberDevices({ isMicrophoneOn: !isMicrophoneOn })
    void call.setMicrophone(!isMicrophoneOn)
  }

  function toggleCamera(): void {
    if (scene.camera === 'starting') return
    rememberDevices({ isCameraOn: !isCameraOn })
    void call.setCamera(!isCameraOn)
  }

  useShortcuts({
    m: canPublishMicrophone ? toggleMicrophone : undefined,
    v: canPublishCamera ? toggleCamera : undefined,
  })

  return (
    <section className={styles.controls} aria-label={text.controls}>
      {canPublishMicrophone && (
        <ControlButton
          icon={<MicrophoneIcon isOff={!isMicrophoneOn} />}
          label={isMicrophoneOn ? text.muteMicrophone : text.unmuteMicrophone}
          hint={text.shortcut('M')}
          look={isMicrophoneOn ? 'plain' : 'off'}
          onPress={toggleMicrophone}
        />
      )}
      {canPublishCamera && (
        <ControlButton
          icon={<CameraIcon isOff={!isCameraOn} />}
          label={isCameraOn ? text.stopCamera : text.startCamera}
          hint={text.shortcut('V')}
          look={isCameraOn ? 'plain' : 'off'}
          onPress={toggleCamera}
        />
      )}
      <RoomTools call={call} state={state} view={view} />
      {facts.me.role !== 'panelist' && <DeviceMenu call={call} facts={facts} />}
      <ControlButton
        icon={<LeaveIcon />}
        label={text.leave}
        look="leave"
        onPress={() => void call.leave()}
      />
    </section>
  )
}
