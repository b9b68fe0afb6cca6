import { useEffect, useState, useSyncExternalStore } from 'react'
import { Dialog, DialogTrigger, Heading } from 'react-aria-components'
import type { CallConnection } from '../../connection/call-connection.ts'
import type { CallFacts } from '../../connection/call-state.ts'
import { DevicesIcon } from '../../design/icons.tsx'
import { BlurChoice } from '../../devices/blur-choice.tsx'
import { DeviceCheck } from '../../devices/device-check.ts'
import type { DeviceKind } from '../../devices/device-problem.ts'
import { DeviceSelect } from '../../devices/device-select.tsx'
import { NoiseChoice } from '../../devices/noise-choice.tsx'
import { recallDevices, rememberDevices } from '../../devices/remembered.ts'
import { canChooseSpeaker } from '../../devices/support.ts'
import { useText } from '../../i18n/text.ts'
import { ControlButton } from '../tools/control-button.tsx'
import { RoomPopover } from '../tools/room-popover.tsx'
import styles from './controls.module.css'

interface DeviceFieldsProps {
  call: CallConnection
  facts: CallFacts
}

export function DeviceMenu({ call, facts }: DeviceFieldsProps) {
  const text = useText().device
  const { canPublishCamera, canPublishMicrophone } = facts.capabilities
  if (!canPublishCamera && !canPublishMicrophone && !canChooseSpeaker()) return null
  return (
    <DialogTrigger>
      <ControlButton icon={<DevicesIcon />} label={text.menu} look="plain" />
      <RoomPopover placement="top" shape="panel">
        <Dialog className={styles.panel ?? ''}>
          <Heading slot="title" level={2}>
            {text.menuTitle}
          </Heading>
          <DeviceFields call={call} facts={facts} />
        </Dialog>
      </RoomPopover>
    </DialogTrigger>
  )
}

function DeviceFields({ call, facts: { capabilities } }: DeviceFieldsProps) {
  const [check] = useState(() => new DeviceCheck())
  const { microphones, cameras, speakers } = useSyncExternalStore(check.subscribe, check.getState)
  const [chosen, setChosen] = useState(recallDevices)
  const [hasNoiseFailed, setNoiseFailed] = useState(false)
  useEffect(() => check.watchDevices(), [check])

  async function choose(kind: DeviceKind, id: string): Promise<void> {
    const key = `${kind}Id` as const
    const { [key]: before } = chosen
    setChosen((each) => ({ ...each, [key]: id }))
    if (await call.switchDevice(kind, id)) rememberDevices({ [key]: id })
    else setChosen((each) => ({ ...each, [key]: before }))
  }

  async function reduceNoise(isOn: boolean): Promise<void> {
    setChosen((before) => ({ ...before, isNoiseReduced: isOn }))
    const isDone = await call.reduceNoise(isOn)
    setNoiseFailed(!isDone)
    const isNoiseReduced = isOn && isDone
    rememberDevices({ isNoiseReduced })
    setChosen((before) => ({ ...before, isNoiseReduced }))
  }

  const fields = [
    { kind: 'camera', options: cameras, isOffered: capabilities.canPublishCamera },
    { kind: 'microphone', options: microphones, isOffered: capabilities.canPublishMicrophone },
    { kind: 'speaker', options: speakers, isOffered: canChooseSpeaker() },
  ] as const
  return (
    <>
      {fields
        .filter(({ isOffered }) => isOffered)
        .map(({ kind, options }) => (
          <DeviceSelect
            key={kind}
            kind={kind}
            options={options}
            value={chosen[`${kind}Id`]}
            onChange={(id) => void choose(kind, id)}
          />
        ))}
      {capabilities.canPublishCamera && <OwnBlurChoice call={call} />}
      {capabilities.canPublishMicrophone && (
        <NoiseChoice
          isOn={chosen.isNoiseReduced === true}
          hasFailed={hasNoiseFailed}
          onChange={(isOn) => void reduceNoise(isOn)}
        />
      )}
    </>
  )
}

function OwnBlurChoice({ call }: Pick<DeviceFieldsProps, 'call'>) {
  const [isOn, setOn] = useState(recallDevices().isBackgroundBlurred === true)
  const [isStarting, setStarting] = useState(false)

  async function change(isBackgroundBlurred: boolean): Promise<void> {
    rememberDevices({ isBackgroundBlurred })
    setOn(isBackgroundBlurred)
    setStarting(isBackgroundBlurred)
    await call.blurBackground(isBackgroundBlurred)
    setStarting(false)
  }

  return <BlurChoice isOn={isOn} isStarting={isStarting} onChange={(isNow) => void change(isNow)} />
}
