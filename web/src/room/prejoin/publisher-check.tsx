import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from '../../design/button.tsx'
import { type Check, DeviceCheck } from '../../devices/device-check.ts'
import { type RememberedDevices, recallDevices, rememberDevices } from '../../devices/remembered.ts'
import type { Dictionary } from '../../i18n/ja.ts'
import { DeviceSelect } from '../device-select.tsx'
import { useText } from '../text.ts'
import type { CheckProps } from './listener-check.tsx'
import { MicrophoneCheck } from './microphone-check.tsx'
import styles from './prejoin.module.css'
import { Preview } from './preview.tsx'
import { CheckProblems } from './problem-notice.tsx'
import { SpeakerCheck } from './speaker-check.tsx'

/** Camera, microphone and speaker of somebody who will be seen and heard. */
export function PublisherCheck({ isJoining, canJoin, onJoin }: CheckProps) {
  const text = useText()
  const { check, devices, wish, change } = useDeviceCheck()
  const { microphone, camera } = devices

  function toggle(kind: 'microphone' | 'camera'): void {
    if (kind === 'microphone') return change({ isMicrophoneOn: !wish.isMicrophoneOn })
    const isCameraOn = !wish.isCameraOn
    change({ isCameraOn })
    return isCameraOn ? void check.use('camera', wish.cameraId) : check.turnOff('camera')
  }

  return (
    <div className={styles.check}>
      <div className={styles.stage}>
        <Preview camera={camera} microphone={microphone} wish={wish} onToggle={toggle} />
        <CheckProblems
          microphone={microphone}
          camera={camera}
          onRetry={() => void check.start(wish)}
        />
      </div>
      <div className={styles.settings}>
        <DeviceSettings check={check} devices={devices} wish={wish} change={change} />
        <div className={styles.join}>
          <Button
            look="primary"
            size="large"
            data-testid="join-button"
            isPending={isJoining}
            isDisabled={!canJoin}
            onPress={() => onJoin(wish)}
          >
            {isJoining ? text.joining : joinLabel(text, { microphone, camera })}
          </Button>
        </div>
      </div>
    </div>
  )
}

function DeviceSettings({ check, devices, wish, change }: ReturnType<typeof useDeviceCheck>) {
  return (
    <>
      <DeviceSelect
        kind="camera"
        options={devices.cameras}
        value={wish.cameraId}
        onChange={(cameraId) => {
          change({ cameraId, isCameraOn: true })
          void check.use('camera', cameraId)
        }}
      />
      <DeviceSelect
        kind="microphone"
        options={devices.microphones}
        value={wish.microphoneId}
        onChange={(microphoneId) => {
          change({ microphoneId })
          void check.use('microphone', microphoneId)
        }}
      />
      <MicrophoneCheck
        microphone={devices.microphone}
        isOn={wish.isMicrophoneOn}
        speakerId={wish.speakerId}
      />
      <SpeakerCheck
        speakers={devices.speakers}
        speakerId={wish.speakerId}
        onChange={(speakerId) => change({ speakerId })}
      />
    </>
  )
}

function joinLabel(
  text: Dictionary,
  { microphone, camera }: Record<'microphone' | 'camera', Check>,
) {
  const hasMicrophone = microphone.status !== 'failed'
  const hasCamera = camera.status !== 'failed'
  if (!hasMicrophone && !hasCamera) return text.joinWithout.both
  if (!hasMicrophone) return text.joinWithout.microphone
  return hasCamera ? text.join : text.joinWithout.camera
}

function useDeviceCheck() {
  const [check] = useState(() => new DeviceCheck())
  const devices = useSyncExternalStore(check.subscribe, check.getState)
  const [wish, setWish] = useState<RememberedDevices>(recallDevices)

  useEffect(() => check.watchDevices(), [check])
  useEffect(() => {
    const remembered = recallDevices()
    if (remembered.isCameraOn) void check.start(remembered)
    else void check.use('microphone', remembered.microphoneId)
    return () => check.stop()
  }, [check])

  function change(part: Partial<RememberedDevices>): void {
    rememberDevices(part)
    setWish((before) => ({ ...before, ...part }))
  }
  return { check, devices, wish, change }
}
