import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react'
import { Group, ToggleButton } from 'react-aria-components'
import { IconButton } from '../../design/icon-button.tsx'
import { MinusIcon, PlusIcon } from '../../design/player-icons.tsx'
import { useStore } from '../../pages/store.ts'
import type { PlayerState } from '../../player/player.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import { AxisLanes } from './axis-lanes.tsx'
import { Marked, Playhead, Preview } from './axis-overlay.tsx'
import styles from './axis.module.css'
import { itemsOf, type Lane, LANES } from './lanes.ts'
import { Ruler } from './ruler.tsx'
import { Voices } from './voices.tsx'

const ZOOMS = [1, 2, 4, 8, 14, 20]

const NO_LANES: ReadonlySet<Lane> = new Set()

/** Everything that happened in the interview, at its place in the file. */
export function Axis() {
  const text = useText()
  const items = useItems()
  const [hidden, setHidden] = useState(NO_LANES)
  const [zoom, setZoom] = useState(1)
  const lanes = useMemo(
    () => LANES.filter((lane) => items.some((item) => item.lane === lane)),
    [items],
  )
  const shown = useMemo(() => items.filter(({ lane }) => !hidden.has(lane)), [items, hidden])
  const scroller = useSight(zoom)
  return (
    <section className={styles.axis} aria-label={text.axis.title}>
      <div className={styles.tools}>
        <Zoom zoom={zoom} onZoom={setZoom} />
        <Filters lanes={lanes} hidden={hidden} onHide={setHidden} />
      </div>
      <div className={styles.scroller} ref={scroller}>
        <div className={styles.inner} style={{ '--zoom': zoom } as CSSProperties}>
          <Ruler zoom={zoom} />
          <Voices />
          <AxisLanes items={shown} />
          <div className={styles.over} data-over>
            <Marked />
            <Playhead />
            <Preview />
          </div>
        </div>
      </div>
    </section>
  )
}

function useItems() {
  const { timeline, completeness, comments, clips, player } = useStudy()
  const durationSec = useStore(player.store, (state) => state.durationSec)
  return useMemo(
    () =>
      itemsOf({
        timeline: timeline.data,
        completeness: completeness.data,
        comments: comments.data ?? [],
        clips: clips.data ?? [],
        durationSec,
      }),
    [timeline.data, completeness.data, comments.data, clips.data, durationSec],
  )
}

/** Keeps the position in sight of an enlarged axis: after a change of the size, and while the video plays. */
function useSight(zoom: number): React.RefObject<HTMLDivElement | null> {
  const { player } = useStudy()
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => {
    showPosition(scroller.current, player.store.get())
    if (zoom === 1) return undefined
    return player.store.subscribe(() => {
      const state = player.store.get()
      if (state.isPlaying) showPosition(scroller.current, state)
    })
  }, [player, zoom])
  return scroller
}

/** Scrolls only if the position is out of sight. */
function showPosition(element: HTMLElement | null, { sec, durationSec }: PlayerState): void {
  const over = element?.querySelector<HTMLElement>('[data-over]')
  if (element === null || over == null) return
  const atPx = (sec / Math.max(durationSec, 1)) * over.offsetWidth
  const seenPx = element.clientWidth - over.offsetLeft
  const isInSight = atPx >= element.scrollLeft && atPx <= element.scrollLeft + seenPx
  if (!isInSight) element.scrollLeft = atPx - seenPx / 4
}

function Zoom({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) {
  const text = useText().axis
  const at = ZOOMS.indexOf(zoom)
  return (
    <Group className={styles.zoom ?? ''} aria-label={text.zoom}>
      <IconButton
        label={text.zoomOut}
        icon={<MinusIcon />}
        isDisabled={at === 0}
        onPress={() => onZoom(ZOOMS[at - 1] ?? 1)}
      />
      <output>{`${zoom}×`}</output>
      <IconButton
        label={text.zoomIn}
        icon={<PlusIcon />}
        isDisabled={at === ZOOMS.length - 1}
        onPress={() => onZoom(ZOOMS[at + 1] ?? 1)}
      />
    </Group>
  )
}

interface FiltersProps {
  lanes: readonly Lane[]
  hidden: ReadonlySet<Lane>
  onHide: (hidden: ReadonlySet<Lane>) => void
}

function Filters({ lanes, hidden, onHide }: FiltersProps) {
  const text = useText().axis
  return (
    <Group className={styles.filters ?? ''} aria-label={text.filters}>
      {lanes.map((lane) => (
        <ToggleButton
          key={lane}
          className={styles.filter ?? ''}
          data-lane={lane}
          isSelected={!hidden.has(lane)}
          onChange={(isShown) =>
            onHide(
              new Set(isShown ? [...hidden].filter((each) => each !== lane) : [...hidden, lane]),
            )
          }
        >
          <span className={styles.dot} aria-hidden="true" />
          <span>{text.lanes[lane]}</span>
        </ToggleButton>
      ))}
    </Group>
  )
}
