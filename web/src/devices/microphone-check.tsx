import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { MicrophoneIcon } from '../design/icons.tsx'
import { useText } from '../i18n/text.ts'
import styles from './checks.module.css'
import type { Check } from './device-check.ts'
import { playOnce, recordVoice } from './play.ts'
import { useLeaving } from './use-leaving.ts'

const RECORD_MS = 4_000

interface MicrophoneCheckProps {
  microphone: Check
  isOn: boolean
  speakerId: string | undefined
}

/** A recording of the own voice to play back. The level stands in the picture. */
export function MicrophoneCheck({ microphone, isOn, speakerId }: MicrophoneCheckProps) {
  const text = useText().prejoin
  const track = microphone.status === 'ready' ? microphone.track : null
  return (
    <div className={styles.field}>
      <HearYourself track={track} speakerId={speakerId} />
      <p className={styles.hint}>{isOn ? text.levelHint : text.levelOff}</p>
    </div>
  )
}

type PlaybackPhase = 'idle' | 'recording' | 'playing'

interface HearYourselfProps {
  track: MediaStreamTrack | null
  speakerId: string | undefined
}

function HearYourself({ track, speakerId }: HearYourselfProps) {
  const text = useText().prejoin
  const [hearing, setHearing] = useState<PlaybackPhase>('idle')
  const leaving = useLeaving()
  const words = {
    idle: text.hearYourself,
    recording: text.hearRecording,
    playing: text.hearPlaying,
  }

  async function listen(microphone: MediaStreamTrack): Promise<void> {
    const stopped = leaving()
    try {
      setHearing('recording')
      const voice = await recordVoice(microphone, RECORD_MS, stopped)
      setHearing('playing')
      await playOnce(voice, { speakerId, stopped })
    } catch {
      // The microphone was unplugged, which its own notice explains, or the person has joined.
    } finally {
      setHearing('idle')
    }
  }

  return (
    <Button
      isDisabled={track === null}
      // Pending instead of disabled, so that it keeps the focus.
      isPending={hearing !== 'idle'}
      onPress={() => {
        if (track !== null) void listen(track)
      }}
    >
      <MicrophoneIcon />
      <span>{words[hearing]}</span>
    </Button>
  )
}
