import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { Slider, SliderThumb, SliderTrack } from 'react-aria-components'
import { Button } from '../../design/button.tsx'
import { timecode } from '../../i18n/times.ts'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { useRequest } from '../tools/use-request.ts'
import { placeAt, type Playback } from './playback.ts'
import styles from './video-controls.module.css'

const TICK_MS = 250

interface VideoControlsProps {
  handoutId: string
  playback: Playback
  video: RefObject<HTMLVideoElement | null>
  /** Shown after the controls. */
  tools: ReactNode
}

/** The moderator's controls. They apply to every page. */
export function VideoControls({ handoutId, playback, video, tools }: VideoControlsProps) {
  const text = useToolsText().handout
  const { status, post } = useRequest()
  const { positionSec, durationSec } = usePlace(playback, video)
  const [draggedSec, setDraggedSec] = useState<number | null>(null)
  const isAtEnd = durationSec !== null && positionSec >= durationSec
  const isPlaying = playback.is_playing && !isAtEnd

  async function move(toSec: number, isToPlay: boolean): Promise<void> {
    await post<'movePlayback'>(`/handouts/${handoutId}/playback`, {
      position_sec: toSec,
      is_playing: isToPlay,
    })
    setDraggedSec(null)
  }

  const shownSec = draggedSec ?? positionSec
  return (
    <div className={styles.controls}>
      <Button size="small" onPress={() => void move(isAtEnd ? 0 : positionSec, !isPlaying)}>
        {isPlaying ? text.pause : text.play}
      </Button>
      <Slider
        className={styles.slider ?? ''}
        aria-label={text.position}
        minValue={0}
        maxValue={Math.max(durationSec ?? shownSec, 0.1)}
        step={0.1}
        value={shownSec}
        isDisabled={durationSec === null}
        onChange={setDraggedSec}
        onChangeEnd={(toSec) => void move(toSec, playback.is_playing)}
      >
        <SliderTrack className={styles.track ?? ''}>
          <SliderThumb className={styles.thumb ?? ''} />
        </SliderTrack>
      </Slider>
      <span className={styles.time}>
        {`${timecode(shownSec)} / ${durationSec === null ? '–' : timecode(durationSec)}`}
      </span>
      <div className={styles.tools}>{tools}</div>
      {status === 'failed' && (
        <p className={styles.failed} role="alert">
          {text.notSaved}
        </p>
      )}
    </div>
  )
}

function usePlace(playback: Playback, ref: RefObject<HTMLVideoElement | null>) {
  const clockOffsetMs = useLiveState((state) => state.clockOffsetMs)
  const [place, setPlace] = useState(() =>
    placeAt(playback, performance.now() + clockOffsetMs, undefined),
  )
  useEffect(() => {
    const look = () =>
      setPlace(placeAt(playback, performance.now() + clockOffsetMs, ref.current?.duration))
    const timer = setInterval(look, TICK_MS)
    return () => clearInterval(timer)
  }, [playback, clockOffsetMs, ref])
  return place
}
