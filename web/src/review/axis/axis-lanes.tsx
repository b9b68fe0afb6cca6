import { type KeyboardEvent, memo, type MouseEvent, useMemo, useRef, useState } from 'react'
import type { ReviewDictionary } from '../../i18n/review-ja.ts'
import { spanText, timecode } from '../../i18n/times.ts'
import { useStore } from '../../pages/store.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import styles from './axis.module.css'
import { type AxisItem, type Lane, LANES } from './lanes.ts'
import { nearestTo } from './ticks.ts'

interface LaneItems {
  lane: Lane
  items: readonly AxisItem[]
}

/** The lanes of events. Arrows move from event to event and from lane to lane, and Enter seeks. */
export function AxisLanes({ items }: { items: readonly AxisItem[] }) {
  const { player } = useStudy()
  const [focused, setFocused] = useState<AxisItem | null>(null)
  const rows = useMemo(() => rowsOf(items), [items])
  const frame = useRef<HTMLDivElement>(null)
  const entry = focused?.lane ?? rows[0]?.lane

  function focus(item: AxisItem | undefined): void {
    if (item === undefined) return
    setFocused(item)
    const lane = frame.current?.querySelector<HTMLElement>(`[data-marks="${item.lane}"]`)
    lane?.focus({ preventScroll: true })
    lane
      ?.querySelector(`[id="${item.id}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  function onKeyDown(event: KeyboardEvent, { lane, items: own }: LaneItems): void {
    const current = focused?.lane === lane ? focused : nearestTo(own, player.store.get().sec)
    if (current === undefined) return
    if (event.key === 'Enter') return player.seek(current.startSec)
    const target = moved(event.key, current, rows)
    if (target === null) return
    event.preventDefault()
    focus(target)
  }

  return (
    <div ref={frame}>
      {rows.map((row) => (
        <LaneRow
          key={row.lane}
          row={row}
          isEntry={row.lane === entry}
          focusedId={focused?.lane === row.lane ? focused.id : null}
          onKeyDown={onKeyDown}
          onFocus={(item) => setFocused(item)}
        />
      ))}
    </div>
  )
}

function rowsOf(items: readonly AxisItem[]): LaneItems[] {
  return LANES.map((lane) => ({ lane, items: items.filter((item) => item.lane === lane) })).filter(
    ({ items: own }) => own.length > 0,
  )
}

/** The event that a key leads to. Null for a key without a meaning here. */
function moved(
  key: string,
  from: AxisItem,
  rows: readonly LaneItems[],
): AxisItem | undefined | null {
  const row = rows.findIndex(({ lane }) => lane === from.lane)
  const own = rows[row]?.items ?? []
  const at = own.indexOf(from)
  switch (key) {
    case 'ArrowRight':
      return own[at + 1]
    case 'ArrowLeft':
      return own[at - 1]
    case 'Home':
      return own[0]
    case 'End':
      return own.at(-1)
    case 'ArrowDown':
      return nearestTo(rows[row + 1]?.items ?? [], from.startSec)
    case 'ArrowUp':
      return nearestTo(rows[row - 1]?.items ?? [], from.startSec)
    default:
      return null
  }
}

interface LaneRowProps {
  row: LaneItems
  /** The keyboard enters the axis here. */
  isEntry: boolean
  focusedId: string | null
  onKeyDown: (event: KeyboardEvent, row: LaneItems) => void
  onFocus: (item: AxisItem | null) => void
}

function LaneRow({ row, isEntry, focusedId, onKeyDown, onFocus }: LaneRowProps) {
  const text = useText().axis
  const { player } = useStudy()
  const { lane, items } = row

  function onClick({ target }: MouseEvent): void {
    const id = target instanceof Element ? target.closest('[role=option]')?.id : undefined
    const item = items.find((each) => each.id === id)
    if (item === undefined) return
    onFocus(item)
    player.seek(item.startSec)
  }

  return (
    <div className={styles.row}>
      <span className={styles.label} title={text.lanes[lane]}>
        {text.lanes[lane]}
      </span>
      <div
        className={styles.lane}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it lies on a time axis
        role="listbox"
        aria-label={text.lanes[lane]}
        aria-activedescendant={focusedId ?? undefined}
        tabIndex={isEntry ? 0 : -1}
        data-lines
        data-marks={lane}
        onKeyDown={(event) => onKeyDown(event, row)}
        onFocus={() => {
          if (focusedId === null) onFocus(nearestTo(items, player.store.get().sec) ?? null)
        }}
        onClick={onClick}
      >
        <Marks items={items} focusedId={focusedId} />
      </div>
    </div>
  )
}

interface MarksProps {
  items: readonly AxisItem[]
  focusedId: string | null
}

const Marks = memo(function Marks({ items, focusedId }: MarksProps) {
  const text = useText()
  const { player } = useStudy()
  const durationSec = useStore(player.store, (state) => Math.max(state.durationSec, 1))
  const share = (sec: number) => `${(Math.min(sec, durationSec) / durationSec) * 100}%`
  return items.map((item) => {
    const { id, lane, startSec, endSec } = item
    const words = itemWords(item, text)
    return (
      <div
        key={id}
        id={id}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see above
        role="option"
        aria-selected={id === focusedId}
        aria-label={words}
        title={words}
        className={endSec === null ? styles.moment : styles.span}
        data-lane={lane}
        style={{
          left: share(startSec),
          ...(endSec !== null && { width: share(endSec - startSec) }),
        }}
      />
    )
  })
})

/** `12:03 Marker, Sato: she reads it twice`, for the eye and for screen readers. */
function itemWords(item: AxisItem, { axis }: ReviewDictionary): string {
  const { what, startSec, endSec, who, note, missingSec } = item
  const name = (axis.events as Readonly<Record<string, string>>)[what] ?? axis.lanes[item.lane]
  const missing = missingSec === null ? null : axis.missing(timecode(missingSec))
  const said = [name, who, missing].filter((each) => each !== null).join(axis.separator)
  return `${spanText(startSec, endSec)} ${said}${note === null ? '' : axis.note(note)}`
}
