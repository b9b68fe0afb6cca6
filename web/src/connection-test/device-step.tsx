import { useEffect, useState, useSyncExternalStore, useEffectEvent } from 'react'
import { Button } from '../design/button.tsx'
import { NextStepButton } from '../design/next-step-button.tsx'
import { DeviceCheck, type DeviceCheckState } from '../devices/device-check.ts'
import { Mirror } from '../devices/mirror.tsx'
import { CheckProblems } from '../devices/problem-notice.tsx'
import { recallDevices } from '../devices/remembered.ts'
import { deviceFactsOf, failureOf } from './device-results.ts'
import { type SpeakerAnswer, TestDeviceSettings } from './device-settings.tsx'
import styles from './device-step.module.css'
import { Frame } from './frame.tsx'
import { useTestText } from './test-text.ts'
import type { OwnMedia, TestVisit } from './test-visit.ts'

/** How long a person may do nothing. Every press and key restarts it. */
const IDLE_MAX_SEC = 45

const SIGNS = ['pointerdown', 'keydown'] as const

type Checks = Pick<DeviceCheckState, 'microphone' | 'camera'>

interface DeviceStepProps {
  visit: TestVisit
  isRecorded: boolean
}

/** The step for camera, microphone and speaker. It does not continue without a microphone. */
export function DeviceStep({ visit, isRecorded }: DeviceStepProps) {
  const text = useTestText().devices
  const [check] = useState(() => new DeviceCheck())
  const devices = useSyncExternalStore(check.subscribe, check.getState)
  const [speaker, setSpeaker] = useState<SpeakerAnswer>('not_tested')
  const { camera, microphone } = devices
  const failure = failureOf({ camera, microphone })
  const facts = deviceFactsOf({ camera, microphone, speaker })

  useEffect(() => check.watchDevices(), [check])
  useEffect(() => {
    void check.start(recallDevices())
    return () => check.stop()
  }, [check])
  useEffect(() => visit.noteDevices(facts, failure))

  return (
    <Frame title={text.title} lead={text.lead}>
      <div className={styles.check}>
        <div className={styles.stage}>
          <Mirror camera={camera} microphone={microphone} isMicrophoneOn />
          <CheckProblems
            camera={camera}
            microphone={microphone}
            onRetry={() => void check.start(recallDevices())}
          />
        </div>
        <div className={styles.settings}>
          <TestDeviceSettings
            check={check}
            devices={devices}
            speaker={speaker}
            onSpeaker={setSpeaker}
          />
          <NextStep
            camera={camera}
            microphone={microphone}
            onNext={() => void visit.measure(facts, isRecorded ? ownMediaOf(devices) : null)}
            onEnd={() => void visit.giveUp()}
          />
        </div>
      </div>
    </Frame>
  )
}

interface NextStepProps extends Checks {
  onNext: () => void
  onEnd: () => void
}

/** The continue button. If the person cannot continue, the test ends automatically after a while. */
function NextStep({ camera, microphone, onNext, onEnd }: NextStepProps) {
  const text = useTestText().devices
  const isTroubled = failureOf({ camera, microphone }) !== null
  const isWithoutCamera = camera.status === 'failed' && microphone.status === 'ready'
  const leftSec = useIdleEnd(isTroubled, onEnd)
  return (
    // With the end button and the timer it would take too much space on a phone.
    <NextStepButton isSticky={!isTroubled}>
      <Button
        look="primary"
        size="large"
        isDisabled={microphone.status !== 'ready' || camera.status === 'asking'}
        onPress={onNext}
      >
        {isWithoutCamera ? text.nextWithoutCamera : text.next}
      </Button>
      {microphone.status === 'failed' && <p className={styles.words}>{text.needsMicrophone}</p>}
      {isTroubled && (
        <>
          <Button onPress={onEnd}>{text.end}</Button>
          <p role="timer" className={styles.words}>
            {text.endsIn(String(leftSec))}
          </p>
        </>
      )}
    </NextStepButton>
  )
}

/** Cloned tracks, because the check stops its own when this step ends. */
function ownMediaOf({ microphone, camera }: Checks): OwnMedia | null {
  if (microphone.status !== 'ready') return null
  return {
    voice: microphone.track.clone(),
    picture: camera.status === 'ready' ? camera.track.clone() : null,
  }
}

/** Ends the test if the person does nothing about a problem for a while. Returns the remaining seconds. */
function useIdleEnd(isTroubled: boolean, onEnd: () => void): number {
  const [leftSec, setLeftSec] = useState(IDLE_MAX_SEC)
  const end = useEffectEvent(onEnd)

  useEffect(() => {
    if (!isTroubled) return undefined
    let endsAtMs = performance.now() + IDLE_MAX_SEC * 1000
    const postpone = () => {
      endsAtMs = performance.now() + IDLE_MAX_SEC * 1000
    }
    const timer = setInterval(() => {
      const leftMs = endsAtMs - performance.now()
      setLeftSec(Math.max(0, Math.ceil(leftMs / 1000)))
      if (leftMs <= 0) {
        clearInterval(timer)
        end()
      }
    }, 1000)
    for (const sign of SIGNS) addEventListener(sign, postpone)
    return () => {
      clearInterval(timer)
      for (const sign of SIGNS) removeEventListener(sign, postpone)
    }
  }, [isTroubled])
  return leftSec
}
