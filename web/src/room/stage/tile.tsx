import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import type { Person } from '../../connection/call-state.ts'
import { MicrophoneIcon, WarningIcon } from '../../design/icons.tsx'
import { useText } from '../../i18n/text.ts'
import { QualityLabel } from '../roster/quality-label.tsx'
import { FloatingButton } from './floating-button.tsx'
import { RaisedHand } from './raised-hand.tsx'
import styles from './tile.module.css'
import { shapeOfVideo } from './use-shapes.ts'

interface TileProps {
  person: Person
  /** Videos of other people are turned off. */
  isSaving: boolean
  /** Hidden until everybody agrees to be watched. */
  isWithheld: boolean
  /** The microphone is on and sends no sound, as the person's own page reports. */
  isSilent: boolean
  /** A raised hand. A moderator may lower it. */
  hand?: 'up' | 'to lower' | undefined
  /** Called with width / height of the video, whenever it changes. */
  onShape: (shape: number) => void
  children?: ReactNode
}

/** One person: video, name, and their sound and connection in words and shapes. */
export function Tile(props: TileProps) {
  const { person, isSaving, isWithheld, isSilent, hand, onShape, children } = props
  const text = useText().call
  const video = useRef<HTMLVideoElement>(null)
  const isLeftOut = isSaving && !person.isLocal && person.picture !== null
  const picture = isLeftOut || isWithheld ? null : person.picture
  const pictureId = picture?.id
  const isPausedByNetwork = picture?.isPausedByNetwork === true
  const [seenId, setSeenId] = useState<string>()
  const isLoading = picture !== null && pictureId !== seenId
  useEffect(() => {
    if (video.current === null || picture === null) return undefined
    return picture.attach(video.current)
    // oxlint-disable-next-line react/exhaustive-deps -- a picture is the same as long as its id is
  }, [pictureId])

  function reportShape({ currentTarget }: SyntheticEvent<HTMLVideoElement>): void {
    const shape = shapeOfVideo(currentTarget)
    if (shape !== undefined) onShape(shape)
  }

  const isSpeaking = person.isSpeaking && !person.isMuted
  return (
    <article
      className={styles.tile}
      aria-label={person.name}
      data-speaking={isSpeaking}
      data-self={person.isLocal}
    >
      <video
        ref={video}
        autoPlay
        playsInline
        muted
        hidden={picture === null}
        data-mirrored={picture?.isMirrored ?? false}
        onLoadedMetadata={reportShape}
        onResize={reportShape}
        onLoadedData={() => setSeenId(pictureId)}
        // When one video replaces another, no other event fires.
        onTimeUpdate={() => setSeenId(pictureId)}
      />
      {(picture === null || isPausedByNetwork || isLoading) && (
        // The cover lies above the paused video. A hidden video would not be sent again, or would never start.
        <div className={styles.face}>
          <span aria-hidden="true">{initialOf(person.name)}</span>
          <p>{wordsFor({ isPausedByNetwork, isLeftOut, isWithheld, isLoading }, text)}</p>
        </div>
      )}
      <div className={styles.tools}>
        {children}
        {picture !== null && !person.isLocal && <FloatingButton name={person.name} video={video} />}
      </div>
      <div className={styles.quality}>
        <QualityLabel quality={person.quality} />
      </div>
      <NamePlate
        person={person}
        isSpeaking={isSpeaking}
        isSilent={isSilent && !person.isMuted}
        hand={hand}
      />
    </article>
  )
}

/** The name, the muted state, and the current activity in one word. */
interface NamePlateProps {
  person: Person
  isSpeaking: boolean
  isSilent: boolean
  hand: TileProps['hand']
}

function NamePlate({ person, isSpeaking, isSilent, hand }: NamePlateProps) {
  const text = useText().call
  return (
    <p className={styles.plate}>
      {hand !== undefined && <RaisedHand {...person} mayLower={hand === 'to lower'} />}
      {person.isMuted && (
        <span className={styles.muted} title={text.muted}>
          <MicrophoneIcon isOff />
          <span className="visually-hidden">{text.muted}</span>
        </span>
      )}
      {isSilent && (
        <span className={styles.noSound} title={text.noSoundLong}>
          <WarningIcon />
          <span>{text.noSound}</span>
        </span>
      )}
      <strong dir="auto">{person.name}</strong>
      {person.isLocal && <span className={styles.note}>{text.you}</span>}
      {person.role === 'moderator' && !person.isLocal && (
        <span className={styles.note}>{text.moderator}</span>
      )}
      {isSpeaking && <span className={styles.speaking}>{text.speaking}</span>}
    </p>
  )
}

function wordsFor(
  { isPausedByNetwork, isLeftOut, isWithheld, isLoading }: Record<string, boolean>,
  text: ReturnType<typeof useText>['call'],
): string {
  if (isWithheld === true) return text.videoWithheld
  if (isPausedByNetwork === true) return text.videoPausedByNetwork
  if (isLoading === true) return text.videoLoading
  return isLeftOut === true ? text.videoStopped : text.cameraOff
}

function initialOf(name: string): string {
  const [first = ''] = new Intl.Segmenter().segment(name.trim())
  return first === '' ? '' : first.segment.toLocaleUpperCase()
}
