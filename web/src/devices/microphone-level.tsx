import { useEffect, useState } from 'react'
import { LevelMeter } from '../design/level-meter.tsx'
import { useText } from '../i18n/text.ts'
import type { Check } from './device-check.ts'
import { watchLevel } from './level.ts'

interface MicrophoneLevelProps {
  microphone: Check
  isOn: boolean
}

/** The level of the own microphone. It stays at zero while the microphone is off. */
export function MicrophoneLevel({ microphone, isOn }: MicrophoneLevelProps) {
  const text = useText().prejoin
  const level = useLevel(isOn && microphone.status === 'ready' ? microphone.track : null)
  return <LevelMeter label={text.levelLabel} level={level} />
}

function useLevel(track: MediaStreamTrack | null): number {
  const [level, setLevel] = useState(0)
  useEffect(() => {
    if (track === null) return undefined
    const stop = watchLevel(track, setLevel)
    return () => {
      stop()
      setLevel(0)
    }
  }, [track])
  return level
}
