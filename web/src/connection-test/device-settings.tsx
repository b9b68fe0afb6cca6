import type { DeviceFacts } from '@interview-room/contract/connection-tests.ts'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import type { DeviceCheck, DeviceCheckState } from '../devices/device-check.ts'
import { DeviceSettings } from '../devices/device-settings.tsx'
import { SpeakerCheck } from '../devices/speaker-check.tsx'
import { useRememberedDevices } from '../devices/use-remembered-devices.ts'
import styles from './device-step.module.css'
import { useTestText } from './test-text.ts'

export type SpeakerAnswer = Extract<DeviceFacts['speaker'], 'ok' | 'failed' | 'not_tested'>

interface TestDeviceSettingsProps {
  check: DeviceCheck
  devices: DeviceCheckState
  speaker: SpeakerAnswer
  onSpeaker: (answer: SpeakerAnswer) => void
}

/** The devices as on the prejoin page, with both in use, and a question about the speaker. */
export function TestDeviceSettings(props: TestDeviceSettingsProps) {
  const { check, devices, speaker, onSpeaker } = props
  const { wish, change } = useRememberedDevices()
  return (
    <DeviceSettings
      check={check}
      devices={devices}
      wish={{ ...wish, isMicrophoneOn: true }}
      onChange={change}
    >
      <SpeakerQuestion
        speaker={speaker}
        onSpeaker={onSpeaker}
        speakers={devices.speakers}
        speakerId={wish.speakerId}
        onChange={(speakerId) => {
          change({ speakerId })
          onSpeaker('not_tested')
        }}
      />
    </DeviceSettings>
  )
}

interface SpeakerQuestionProps extends Pick<TestDeviceSettingsProps, 'speaker' | 'onSpeaker'> {
  speakers: DeviceCheckState['speakers']
  speakerId: string | undefined
  onChange: (speakerId: string) => void
}

/** Asks if a sound was heard, because only the person can tell. */
function SpeakerQuestion({ speaker, onSpeaker, ...select }: SpeakerQuestionProps) {
  const text = useTestText().devices
  const [wasPlayed, setWasPlayed] = useState(false)
  return (
    <div className={styles.speaker}>
      <SpeakerCheck
        {...select}
        onPlayed={() => {
          setWasPlayed(true)
          onSpeaker('not_tested')
        }}
      />
      {wasPlayed && speaker === 'not_tested' && <Question onAnswer={onSpeaker} />}
      <output className={styles.answer}>
        {speaker === 'ok' && <span>{text.heardYes}</span>}
        {speaker === 'failed' && <span>{text.heardNo}</span>}
      </output>
    </div>
  )
}

function Question({ onAnswer }: { onAnswer: (answer: SpeakerAnswer) => void }) {
  const text = useTestText().devices
  const place = useRef<HTMLFieldSetElement>(null)
  // On a phone the question would appear behind the continue button.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <fieldset ref={place} className={styles.question}>
      <legend>{text.heard}</legend>
      <Button size="small" onPress={() => onAnswer('ok')}>
        {text.yes}
      </Button>
      <Button size="small" onPress={() => onAnswer('failed')}>
        {text.no}
      </Button>
    </fieldset>
  )
}
