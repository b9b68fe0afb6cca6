import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from '../../design/button.tsx'
import { DevicesIcon } from '../../design/icons.tsx'
import { BlurChoice } from '../../devices/blur-choice.tsx'
import { type Check, DeviceCheck } from '../../devices/device-check.ts'
import { DeviceSettings } from '../../devices/device-settings.tsx'
import { NoiseChoice } from '../../devices/noise-choice.tsx'
import { CheckProblems } from '../../devices/problem-notice.tsx'
import { type RememberedDevices, recallDevices } from '../../devices/remembered.ts'
import { SpeakerCheck } from '../../devices/speaker-check.tsx'
import { useRememberedDevices } from '../../devices/use-remembered-devices.ts'
import type { Dictionary } from '../../i18n/ja.ts'
import { useText } from '../../i18n/text.ts'
import type { CheckProps } from './listener-check.tsx'
import styles from './prejoin.module.css'
import { Preview } from './preview.tsx'

/** The check of camera, microphone and speaker for people who will be seen and heard. */
export function PublisherCheck({ canJoin, onJoin, children }: CheckProps) {
  const text = useText()
  const { check, devices, wish, change, blur } = useDeviceCheck()
  const { microphone, camera } = devices

  function toggle(kind: 'microphone' | 'camera'): void {
    if (kind === 'microphone') return change({ isMicrophoneOn: !wish.isMicrophoneOn })
    const isCameraOn = !wish.isCameraOn
    change({ isCameraOn })
    return isCameraOn ? void check.use('camera', wish.cameraId) : check.turnOff('camera')
  }

  return (
    <>
      <div className={styles.stage}>
        <Preview camera={camera} microphone={microphone} wish={wish} onToggle={toggle} />
        <CheckProblems
          microphone={microphone}
          camera={camera}
          onRetry={() => void check.startAsWished(wish)}
        />
        <DeviceDisclosure>
          <DeviceSettings
            check={check}
            devices={devices}
            wish={wish}
            onChange={(choice) =>
              change('cameraId' in choice ? { ...choice, isCameraOn: true } : choice)
            }
          >
            <BlurChoice isOn={wish.isBackgroundBlurred === true} onChange={blur} />
            <NoiseChoice
              isOn={wish.isNoiseReduced === true}
              onChange={(isNoiseReduced) => change({ isNoiseReduced })}
            />
            <SpeakerCheck
              speakers={devices.speakers}
              speakerId={wish.speakerId}
              onChange={(speakerId) => change({ speakerId })}
            />
          </DeviceSettings>
        </DeviceDisclosure>
      </div>
      {children}
      <div className={styles.join}>
        <Button
          look="primary"
          size="large"
          isDisabled={!canJoin}
          onPress={() => onJoin(wishOf(wish, devices))}
        >
          {joinLabel(text, { microphone, camera })}
        </Button>
      </div>
    </>
  )
}

/** The choice of devices, closed until somebody needs it. */
function DeviceDisclosure({ children }: { children: ReactNode }) {
  const text = useText().device
  return (
    <details className={styles.devices}>
      <summary>
        <DevicesIcon />
        <span>{text.menuTitle}</span>
      </summary>
      <div className={styles.settings}>{children}</div>
    </details>
  )
}

/** The choice follows the button's label. A person who joins without a device is not asked for it again inside. */
function wishOf(
  wish: RememberedDevices,
  { microphone, camera }: Record<'microphone' | 'camera', Check>,
): RememberedDevices {
  return {
    ...wish,
    isMicrophoneOn: wish.isMicrophoneOn && microphone.status !== 'failed',
    isCameraOn: wish.isCameraOn && camera.status !== 'failed',
  }
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
  const [check] = useState(
    () => new DeviceCheck({ isBlurred: recallDevices().isBackgroundBlurred === true }),
  )
  const devices = useSyncExternalStore(check.subscribe, check.getState)
  const { wish, change } = useRememberedDevices()

  useEffect(() => check.watchDevices(), [check])
  useEffect(() => {
    void check.startAsWished(recallDevices())
    return () => check.stop()
  }, [check])

  function blur(isBackgroundBlurred: boolean): void {
    change({ isBackgroundBlurred })
    void check.blur(isBackgroundBlurred, wish.cameraId)
  }

  return { check, devices, wish, change, blur }
}
