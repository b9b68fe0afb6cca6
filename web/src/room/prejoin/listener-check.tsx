import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import type { JoinChoice } from '../../connection/call-tools.ts'
import { Button } from '../../design/button.tsx'
import { EyeIcon } from '../../design/icons.tsx'
import { DeviceCheck } from '../../devices/device-check.ts'
import { SpeakerCheck } from '../../devices/speaker-check.tsx'
import { useRememberedDevices } from '../../devices/use-remembered-devices.ts'
import { useText } from '../../i18n/text.ts'
import styles from './prejoin.module.css'

export interface CheckProps {
  /** The title, the facts and the name, which stand above the button. */
  children: ReactNode
  canJoin: boolean
  onJoin: (choice: Omit<JoinChoice, 'credential'>) => void
}

/** The check for people who only listen. It asks for no device. */
export function ListenerCheck({ canJoin, onJoin, children }: CheckProps) {
  const text = useText()
  const [check] = useState(() => new DeviceCheck())
  const { speakers } = useSyncExternalStore(check.subscribe, check.getState)
  const { wish, change } = useRememberedDevices()
  const { speakerId } = wish
  useEffect(() => check.watchDevices(), [check])

  return (
    <>
      {children}
      <p className={styles.unseen}>
        <EyeIcon />
        <span>{text.observer.unseen}</span>
      </p>
      <div className={styles.join}>
        <Button
          look="primary"
          size="large"
          isDisabled={!canJoin}
          onPress={() => onJoin({ speakerId, isMicrophoneOn: false, isCameraOn: false })}
        >
          {text.join}
        </Button>
      </div>
      <SpeakerCheck
        speakers={speakers}
        speakerId={speakerId}
        onChange={(id) => change({ speakerId: id })}
      />
    </>
  )
}
