import { type CSSProperties, type ReactNode, useState, useCallback } from 'react'
import type { Person } from '../../connection/call-state.ts'
import { usePeopleText } from '../../i18n/people-text.ts'
import { useText } from '../../i18n/text.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { useNews } from '../../live/use-news.ts'
import { useMayWatch } from '../consent/use-may-watch.ts'
import { HandoutStage, type HandoutStageProps } from '../handout/handout-stage.tsx'
import { type Arrangement, type Box, CAMERA_OFF_SHAPE, LAYOUTS_FROM } from './arrange-stage.ts'
import { arrangeCaptioned, type CaptionPlace } from './caption-area.ts'
import { FloatingTile } from './floating-tile.tsx'
import { inOrder } from './layout.ts'
import { ScreenStage, sharerAmong } from './screen-stage.tsx'
import { StageDivider } from './stage-divider.tsx'
import styles from './stage.module.css'
import { PinButton } from './tile-button.tsx'
import { Tile } from './tile.tsx'
import type { StageView } from './use-layout.ts'
import { useShapes } from './use-shapes.ts'

interface StageProps {
  people: readonly Person[]
  view: StageView
  /** True if the person at this page has no tile. */
  isWatching: boolean
  isAlone: boolean
  /** True on a phone, where one large picture fills the page. */
  isFilled: boolean
  /** Props of the handout's place. */
  handout: Omit<HandoutStageProps, 'onShape'>
  /** Buttons on the own tile. */
  ownTools?: ReactNode
  /** The words of people who speak, and the size of their letters in rem. Null without captions. */
  captions: { words: ReactNode; sizeRem: number } | null
}

/** All visible people, and the handout or screen that everybody sees. */
export function Stage(props: StageProps) {
  const { view, isWatching, isAlone, isFilled, handout } = props
  const people = inOrder(props.people, view.isRespondent)
  const { ref, size } = useSize()
  const { shapeOf, report } = useShapes()
  const hasHandout = useLiveState((state) => state.presentation !== null)
  // Without permission the media server sends nothing, and the last frame must not stay visible.
  const mayWatch = useMayWatch()
  const sharer = view.isSaving || !mayWatch ? null : sharerAmong(people)
  const isShown = hasHandout || sharer !== null
  const [handoutShape, setHandoutShape] = useState(CAMERA_OFF_SHAPE)
  const [screenShape, setScreenShape] = useState(CAMERA_OFF_SHAPE)
  const [peopleShare, setPeopleShare] = useState<number | null>(null)
  const scene = {
    ...size,
    peopleShare,
    isFilled,
    people: people.map((person) => ({
      id: person.identity,
      shape: (person.picture === null ? undefined : shapeOf(person.identity)) ?? CAMERA_OFF_SHAPE,
      isSelf: person.isLocal,
    })),
    featuredId: view.featured,
    stimulusShape: isShown ? (hasHandout ? handoutShape : screenShape) : null,
    corner: view.corner,
  }
  const { captions } = props
  const letters = captions && { sizePx: captions.sizeRem * size.remPx, remPx: size.remPx }
  const { arrangement, place } = arrangeCaptioned(scene, letters)

  const tileOf = useTiles(props, { people, mayWatch, onShape: report })
  return (
    <div className={styles.stage} ref={ref} data-stimulus={isShown}>
      <div className={styles.stimulus} style={placedAt(arrangement.stimulus)}>
        <HandoutStage {...handout} onShape={setHandoutShape} />
        <ScreenStage sharer={sharer} isHidden={hasHandout} onShape={setScreenShape} />
      </div>
      {arrangement.divider !== null && (
        <StageDivider
          divider={arrangement.divider}
          place={placedAt(arrangement.divider.box)}
          onMove={setPeopleShare}
        />
      )}
      <SpotlightNews people={people} />
      <PeopleOnStage
        people={people}
        arrangement={arrangement}
        size={size}
        view={view}
        tileOf={tileOf}
      />
      {isWatching && !isShown && isAlone && <NobodyYet />}
      {place !== null && <PlacedCaptions place={place}>{captions?.words}</PlacedCaptions>}
    </div>
  )
}

function PlacedCaptions({ place, children }: { place: CaptionPlace; children: ReactNode }) {
  return (
    <div
      className={styles.captions}
      data-strip={place.isStrip}
      data-low={place.hasOneRow}
      style={placedAt(place.box)}
    >
      {children}
    </div>
  )
}

interface TilesProps {
  people: readonly Person[]
  mayWatch: boolean
  onShape: (identity: string, shape: number) => void
}

/** The tile of each person, with its buttons. */
function useTiles(
  { view, handout, ownTools }: StageProps,
  { people, mayWatch, onShape }: TilesProps,
) {
  const factOf = useRosterFacts()
  const hand = handout.canModerate ? 'to lower' : 'up'
  return (person: Person) => (
    <Tile
      isSilent={factOf(person).isSilent}
      hand={factOf(person).hasHandRaised ? hand : undefined}
      person={person}
      isSaving={view.isSaving}
      isWithheld={!mayWatch}
      onShape={(shape) => onShape(person.identity, shape)}
    >
      {people.length >= LAYOUTS_FROM && (
        <PinButton
          name={person.name}
          isPinned={view.pinnedIdentity === person.identity}
          onPress={() => view.togglePin(person.identity)}
        />
      )}
      {person.isLocal && ownTools}
    </Tile>
  )
}

/** A person's raised hand, and if their microphone is on and sends no sound: only moderators and operators learn that. */
function useRosterFacts() {
  const roster = useLiveState((state) => state.roster)
  return ({ identity }: Person) => {
    const found = roster.find((each) => each.identity === identity)
    return {
      isSilent: found?.is_microphone_silent === true,
      hasHandRaised: found?.has_hand_raised === true,
    }
  }
}

interface PeopleProps {
  people: readonly Person[]
  arrangement: Arrangement
  size: Size
  view: StageView
  tileOf: (person: Person) => ReactNode
}

function PeopleOnStage({ people, arrangement, size, view, tileOf }: PeopleProps) {
  const text = useText().call
  return (
    <section aria-label={text.people}>
      <ul>
        {people.map((person, index) => {
          const box = arrangement.tiles[index] ?? null
          const isFloating = arrangement.floatingId === person.identity
          return (
            <li
              key={person.identity}
              className={styles.place}
              data-floating={isFloating}
              data-filled={arrangement.filledId === person.identity}
              style={placedAt(box, size)}
            >
              {isFloating && box !== null ? (
                <FloatingTile
                  box={box}
                  stage={size}
                  corner={view.corner}
                  isOwn={person.isLocal}
                  onMove={view.moveSelf}
                >
                  {tileOf(person)}
                </FloatingTile>
              ) : (
                tileOf(person)
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function NobodyYet() {
  const text = useText().observer
  return (
    <div className={styles.empty}>
      <strong>{text.nobodyYet}</strong>
      <span>{text.nobodyYetHint}</span>
    </div>
  )
}

function placedAt(box: Box | null, stage?: Size): CSSProperties {
  if (box === null) return { display: 'contents' }
  const { left, top, width, height } = box
  const place: CSSProperties = { left, top, width, height }
  if (stage === undefined) return place
  const { covered } = stage
  // The controls lie over this part of the tile, and its words keep out of it.
  const above = Math.max(0, covered.top - top)
  const below = Math.max(0, top + height - (stage.height - covered.bottom))
  return { ...place, '--above': `${above}px`, '--below': `${below}px` } as CSSProperties
}

/** Announces the person on everyone's large tile to people who cannot see it. */
function SpotlightNews({ people }: { people: readonly Person[] }) {
  const text = usePeopleText()
  const identity = useLiveState((state) => state.spotlight)
  const name = people.find((person) => person.identity === identity)?.name
  const words = name === undefined ? text.spotlightEnded : text.spotlightNews(name)
  return (
    <output className="visually-hidden" aria-live="polite">
      {useNews(identity, words)}
    </output>
  )
}

interface Size {
  width: number
  height: number
  covered: { top: number; bottom: number }
  /** Size of the page's letters, as their reader has set it. */
  remPx: number
}

/** The current size of an element in CSS pixels; 0 by 0 before it exists. Its padding is covered by the controls. */
function useSize() {
  const covered = { top: 0, bottom: 0 }
  const [size, setSize] = useState<Size>({ width: 0, height: 0, covered, remPx: 16 })
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    function measure(): void {
      if (element === null) return
      const { paddingTop, paddingBottom } = getComputedStyle(element)
      setSize({
        width: element.clientWidth,
        height: element.clientHeight,
        covered: { top: Number.parseFloat(paddingTop), bottom: Number.parseFloat(paddingBottom) },
        remPx: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
      })
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, size }
}
