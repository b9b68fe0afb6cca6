import { useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { MicrophoneIcon, WarningIcon } from '../design/icons.tsx'
import { LevelMeter } from '../design/level-meter.tsx'
import { useText } from '../i18n/text.ts'
import styles from './checks.module.css'
import type { Check } from './device-check.ts'
import { watchLevel } from './level.ts'
import { playOnce, recordVoice } from './play.ts'
import { afterLevel, isSilent, LOBBY_SILENCE_MAX_MS, SOUNDING } from './silent-microphone.ts'
import { useLeaving } from './use-leaving.ts'

const RECORD_MS = 4_000

interface MicrophoneCheckProps {
  microphone: Check
  isOn: boolean
  speakerId: string | undefined
}

/** The level of the microphone, and a recording of the own voice to play back. */
export function MicrophoneCheck({ microphone, isOn, speakerId }: MicrophoneCheckProps) {
  const text = useText().prejoin
  const track = microphone.status === 'ready' ? microphone.track : null
  const heard = useLevel(isOn ? track : null)
  return (
    <div className={styles.field}>
      <LevelMeter label={text.levelLabel} level={heard.level} />
      <p className={styles.hint}>{isOn ? text.levelHint : text.levelOff}</p>
      <output>
        {heard.isSilent && (
          <p className={styles.silent}>
            <WarningIcon />
            <span>{text.levelSilent}</span>
          </p>
        )}
      </output>
      <HearYourself track={track} speakerId={speakerId} />
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

const NOT_HEARD = { level: 0, isSilent: false }

function useLevel(track: MediaStreamTrack | null): typeof NOT_HEARD {
  const [heard, setHeard] = useState(NOT_HEARD)
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
