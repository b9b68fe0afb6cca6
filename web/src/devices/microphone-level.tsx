import { useEffect, useState } from 'react'
import { WarningIcon } from '../design/icons.tsx'
import { LevelMeter } from '../design/level-meter.tsx'
import { useText } from '../i18n/text.ts'
import styles from './checks.module.css'
import type { Check } from './device-check.ts'
import { watchLevel } from './level.ts'
import { afterLevel, isSilent, LOBBY_SILENCE_MAX_MS, SOUNDING } from './silent-microphone.ts'

const NOT_HEARD = { level: 0, isSilent: false }
export type Heard = typeof NOT_HEARD

/** Listens to the own microphone while it is on. */
export function useHeard(microphone: Check, isOn: boolean): Heard {
  const [heard, setHeard] = useState(NOT_HEARD)
  const track = isOn && microphone.status === 'ready' ? microphone.track : null
  useEffect(() => {
    if (track === null) return undefined
    let watch = SOUNDING
    const stop = watchLevel(track, (level) => {
      const atMs = performance.now()
      watch = afterLevel(watch, level, atMs)
      setHeard({ level: level ?? 0, isSilent: isSilent(watch, LOBBY_SILENCE_MAX_MS, atMs) })
    })
    return () => {
      stop()
      setHeard(NOT_HEARD)
    }
  }, [track])
  return heard
}

/** The level of the own microphone. */
export function MicrophoneLevel({ level }: Pick<Heard, 'level'>) {
  return <LevelMeter label={useText().prejoin.levelLabel} level={level} />
}

/** Says that the microphone is on and sends no sound, with what helps. */
export function SilenceNotice({ heard }: { heard: Heard }) {
  const text = useText().prejoin
  return (
    <output>
      {heard.isSilent && (
        <p className={styles.silent}>
          <WarningIcon />
          <span>{text.levelSilent}</span>
        </p>
      )}
    </output>
  )
}
