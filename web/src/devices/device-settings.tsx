import type { ReactNode } from 'react'
import type { DeviceCheck, DeviceCheckState } from './device-check.ts'
import { DeviceSelect } from './device-select.tsx'
import { MicrophoneCheck } from './microphone-check.tsx'
import type { RememberedDevices } from './remembered.ts'

interface DeviceSettingsProps {
  check: DeviceCheck
  devices: DeviceCheckState
  wish: RememberedDevices
  onChange: (choice: { cameraId: string } | { microphoneId: string }) => void
  /** The speaker. */
  children: ReactNode
}

/** The choice of camera and microphone, and the microphone's level. */
export function DeviceSettings({ check, devices, wish, onChange, children }: DeviceSettingsProps) {
  return (
    <>
      <DeviceSelect
        kind="camera"
        options={devices.cameras}
        value={wish.cameraId}
        onChange={(cameraId) => {
          onChange({ cameraId })
          void check.use('camera', cameraId)
        }}
      />
      <DeviceSelect
        kind="microphone"
        options={devices.microphones}
        value={wish.microphoneId}
        onChange={(microphoneId) => {
          onChange({ microphoneId })
          void check.use('microphone', microphoneId)
        }}
      />
      <MicrophoneCheck
        microphone={devices.microphone}
        isOn={wish.isMicrophoneOn}
        speakerId={wish.speakerId}
      />
      {children}
    </>
  )
}
