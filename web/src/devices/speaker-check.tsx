import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { SpeakerIcon } from '../design/icons.tsx'
import { useText } from '../i18n/text.ts'
import styles from './checks.module.css'
import type { DeviceOption } from './device-check.ts'
import { DeviceSelect } from './device-select.tsx'
import { playOnce } from './play.ts'
import { canChooseSpeaker } from './support.ts'
import { chime } from './tone.ts'
import { useLeaving } from './use-leaving.ts'

interface SpeakerCheckProps {
  speakers: readonly DeviceOption[]
  speakerId: string | undefined
  onChange: (id: string) => void
  /** Called when the sound was played to its end. */
  onPlayed?: () => void
}

export function SpeakerCheck({ speakers, speakerId, onChange, onPlayed }: SpeakerCheckProps) {
  const text = useText()
  const [isPlaying, setIsPlaying] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)
  const leaving = useLeaving()

  async function play(): Promise<void> {
    setIsPlaying(true)
    setHasFailed(false)
    const played = playOnce(chime(), { speakerId, stopped: leaving() })
    await played.then(onPlayed, () => setHasFailed(true))
    setIsPlaying(false)
  }

  return (
    <div className={styles.field}>
      {canChooseSpeaker() && (
        <DeviceSelect kind="speaker" options={speakers} value={speakerId} onChange={onChange} />
      )}
      <Button isPending={isPlaying} onPress={() => void play()}>
        <SpeakerIcon />
        <span>{isPlaying ? text.prejoin.tonePlaying : text.prejoin.tone}</span>
      </Button>
      {hasFailed && <p className={styles.failed}>{text.problem.speaker.failed}</p>}
    </div>
  )
}
