import type { DeviceFacts } from '@interview-room/contract/connection-tests.ts'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import type { DeviceCheck, DeviceCheckState } from '../devices/device-check.ts'
import { recallDevices, rememberDevices } from '../devices/remembered.ts'
import { DeviceSelect } from '../room/device-select.tsx'
import { MicrophoneCheck } from '../room/prejoin/microphone-check.tsx'
import { SpeakerCheck } from '../room/prejoin/speaker-check.tsx'
import styles from './device-step.module.css'
import { useTestText } from './test-text.ts'

export type SpeakerAnswer = Extract<DeviceFacts['speaker'], 'ok' | 'failed' | 'not_tested'>

interface DeviceSettingsProps {
  check: DeviceCheck
  devices: DeviceCheckState
  speaker: SpeakerAnswer
  onSpeaker: (answer: SpeakerAnswer) => void
}

/** Which devices, how loud the microphone is, and whether the speaker is heard. */
export function DeviceSettings({ check, devices, speaker, onSpeaker }: DeviceSettingsProps) {
  const [wish, setWish] = useState(recallDevices)
  const change = (part: Partial<typeof wish>) => {
    rememberDevices(part)
    setWish((before) => ({ ...before, ...part }))
  }
  return (
    <>
      <DeviceSelect
        kind="camera"
        options={devices.cameras}
        value={wish.cameraId}
        onChange={(cameraId) => {
          change({ cameraId })
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
      <MicrophoneCheck microphone={devices.microphone} isOn speakerId={wish.speakerId} />
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
    </>
  )
}

interface SpeakerQuestionProps extends Pick<DeviceSettingsProps, 'speaker' | 'onSpeaker'> {
  speakers: DeviceCheckState['speakers']
  speakerId: string | undefined
  onChange: (speakerId: string) => void
}

/** Only the person can say whether a sound was heard. */
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
        {speaker === 'ok' && text.heardYes}
        {speaker === 'failed' && text.heardNo}
      </output>
    </div>
  )
}

function Question({ onAnswer }: { onAnswer: (answer: SpeakerAnswer) => void }) {
  const text = useTestText().devices
  const place = useRef<HTMLFieldSetElement>(null)
  // On a phone it would come up behind the button that goes on.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <fieldset ref={place} className={styles.question}>
      <legend>{text.heard}</legend>
      <Button size="small" data-testid="test-heard" onPress={() => onAnswer('ok')}>
        {text.yes}
      </Button>
      <Button size="small" data-testid="test-unheard" onPress={() => onAnswer('failed')}>
        {text.no}
      </Button>
    </fieldset>
  )
}
