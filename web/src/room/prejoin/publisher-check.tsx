import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from '../../design/button.tsx'
import { type Check, DeviceCheck } from '../../devices/device-check.ts'
import { recallDevices, type RememberedDevices, rememberDevices } from '../../devices/remembered.ts'
import { DeviceSelect } from '../device-select.tsx'
import type { Dictionary } from '../../i18n/ja.ts'
import { useText } from '../text.ts'
import type { CheckProps } from './listener-check.tsx'
import { MicrophoneCheck } from './microphone-check.tsx'
import styles from './prejoin.module.css'
import { Preview } from './preview.tsx'
import { ProblemNotice } from './problem-notice.tsx'
import { SpeakerCheck } from './speaker-check.tsx'

/** Camera, microphone and speaker of somebody who will be seen and heard. */
export function PublisherCheck({ isJoining, canJoin, onJoin }: CheckProps) {
  const text = useText()
  const { check, devices, wish, change } = useDeviceCheck()
  const { microphone, camera } = devices

  return (
    <div className={styles.check}>
      <div className={styles.stage}>
        <Preview
          camera={camera}
          microphone={microphone}
          wish={wish}
          onToggle={(kind) => {
            const isOn = !(kind === 'microphone' ? wish.isMicrophoneOn : wish.isCameraOn)
            change(kind === 'microphone' ? { isMicrophoneOn: isOn } : { isCameraOn: isOn })
            if (kind === 'microphone') return
            if (isOn) void check.use('camera', wish.cameraId)
            else check.turnOff('camera')
          }}
        />
        <ProblemNotice kind="camera" check={camera} onRetry={() => void check.start(wish)} />
        <ProblemNotice
          kind="microphone"
          check={microphone}
          onRetry={() => void check.start(wish)}
        />
      </div>
      <div className={styles.settings}>
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
          microphone={microphone}
          isOn={wish.isMicrophoneOn}
          speakerId={wish.speakerId}
        />
        <SpeakerCheck
          speakers={devices.speakers}
          speakerId={wish.speakerId}
          onChange={(speakerId) => change({ speakerId })}
        />
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
  )
}

function joinLabel(
  text: Dictionary,
  { microphone, camera }: Record<'microphone' | 'camera', Check>,
) {
  const has = (check: Check) => check.status !== 'failed'
  if (!has(microphone) && !has(camera)) return text.joinWithout.both
  if (!has(microphone)) return text.joinWithout.microphone
  return has(camera) ? text.join : text.joinWithout.camera
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
