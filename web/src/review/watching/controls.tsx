import type { RefObject } from 'react'
import { Group, ToggleButton } from 'react-aria-components'
import { ChoiceMenu } from '../../design/choice-menu.tsx'
import { IconButton } from '../../design/icon-button.tsx'
import { FloatingIcon, FullScreenIcon, PauseIcon } from '../../design/icons.tsx'
import { CaptionsIcon, PlayIcon, SkipSilenceIcon } from '../../design/player-icons.tsx'
import { timecode } from '../../i18n/times.ts'
import { useStore } from '../../pages/store.ts'
import { toggleFullScreen } from '../../player/full-screen.ts'
import { RATES, type Version } from '../../player/player.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import styles from './controls.module.css'
import { Volume } from './volume.tsx'

const STEP_SEC = 0.1

interface ControlsProps {
  video: RefObject<HTMLVideoElement | null>
}

export function Controls({ video }: ControlsProps) {
  const text = useText().watching
  const { review } = useStudy()
  return (
    <Group className={styles.controls ?? ''} aria-label={text.controls}>
      <SeekBar />
      <div className={styles.row}>
        <PlayButton />
        <Clock />
        <Volume />
        <span className={styles.space} />
        <RateMenu />
        <VersionMenu />
        <Toggles />
        {document.pictureInPictureEnabled && review.watermark === null && (
          <span className={styles.extra}>
            <IconButton
              label={text.floating}
              icon={<FloatingIcon />}
              // A browser may refuse it while the video has no picture.
              onPress={() => void video.current?.requestPictureInPicture().catch(() => {})}
            />
          </span>
        )}
        {/* A phone that shows only the video in full screen would leave the watermark out. */}
        {(document.fullscreenEnabled || review.watermark === null) && (
          <IconButton
            label={text.fullScreen}
            icon={<FullScreenIcon />}
            onPress={() => toggleFullScreen()}
          />
        )}
      </div>
    </Group>
  )
}

function SeekBar() {
  const text = useText().watching
  const { player } = useStudy()
  const sec = useStore(player.store, (state) => state.sec)
  const durationSec = useStore(player.store, (state) => state.durationSec)
  return (
    <input
      type="range"
      className={styles.seek}
      data-seek
      aria-label={text.position}
      aria-valuetext={text.ofLength(timecode(sec), timecode(durationSec))}
      min={0}
      max={durationSec}
      step={STEP_SEC}
      value={Math.min(sec, durationSec)}
      onChange={({ target }) => player.seek(Number(target.value))}
    />
  )
}

function PlayButton() {
  const text = useText().watching
  const { player } = useStudy()
  const isPlaying = useStore(player.store, (state) => state.isPlaying)
  return (
    <IconButton
      label={isPlaying ? text.pause : text.play}
      icon={isPlaying ? <PauseIcon /> : <PlayIcon />}
      onPress={() => player.toggle()}
    />
  )
}

function Clock() {
  const { player } = useStudy()
  // Whole seconds, so that the text is not drawn ten times a second.
  const second = useStore(player.store, ({ sec }) => Math.floor(sec))
  const length = useStore(player.store, ({ durationSec }) => Math.floor(durationSec))
  return <span className={styles.clock}>{`${timecode(second)} / ${timecode(length)}`}</span>
}

function RateMenu() {
  const text = useText().watching
  const { player } = useStudy()
  const rate = useStore(player.store, (state) => state.rate)
  return (
    <ChoiceMenu
      label={text.rate}
      value={String(rate)}
      options={RATES.map((each) => ({ id: String(each), label: `${each}×` }))}
      onChoose={(chosen) => player.setRate(Number(chosen))}
    />
  )
}

const VERSIONS: readonly Version[] = ['recorded', 'processed']

function VersionMenu() {
  const text = useText().watching
  const { player, recording } = useStudy()
  const version = useStore(player.store, (state) => state.version)
  if (recording.processed?.status !== 'available') return null
  return (
    <ChoiceMenu
      label={text.version}
      value={version}
      options={VERSIONS.map((id) => ({ id, label: text.versions[id] }))}
      onChoose={(chosen) =>
        player.setVersion(VERSIONS.find((each) => each === chosen) ?? 'recorded')
      }
    />
  )
}

function Toggles() {
  const text = useText().watching
  const { player, desk, transcripts, activity } = useStudy()
  const hasCaptions = useStore(desk, (state) => state.hasCaptions)
  const skipsSilence = useStore(player.store, (state) => state.skipsSilence)
  const canSkip = (activity.data?.people ?? []).some(({ speech }) => speech.length > 0)
  return (
    <>
      {canSkip && (
        <ToggleButton
          className={styles.toggle ?? ''}
          isSelected={skipsSilence}
          onChange={(isOn) => player.setSkipsSilence(isOn)}
        >
          <SkipSilenceIcon />
          <span>{text.skipSilence}</span>
        </ToggleButton>
      )}
      {transcripts.shown !== null && (
        <ToggleButton
          className={styles.toggle ?? ''}
          isSelected={hasCaptions}
          onChange={(isOn) => desk.set({ hasCaptions: isOn })}
        >
          <CaptionsIcon />
          <span>{text.captions}</span>
        </ToggleButton>
      )}
    </>
  )
}
