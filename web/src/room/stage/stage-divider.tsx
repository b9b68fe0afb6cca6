import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react'
import { useToolsText } from '../../i18n/tools-text.ts'
import type { Divider } from './arrange-stage.ts'
import styles from './stage-divider.module.css'

/** The people take at least and at most this share of the stage, in percent. */
const PEOPLE_MIN = 12
const PEOPLE_MAX = 70
const STEP = 4
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: STEP,
  ArrowUp: STEP,
  ArrowRight: -STEP,
  ArrowDown: -STEP,
  Home: 100,
  End: -100,
}

interface StageDividerProps {
  divider: Divider
  place: CSSProperties
  onMove: (peopleShare: number) => void
}

/** The line between a handout or screen and the people. It is dragged, or moved by the arrow keys. */
export function StageDivider({ divider, place, onMove }: StageDividerProps) {
  const text = useToolsText().layout
  const { isUpright } = divider
  const percent = Math.round(divider.peopleShare * 100)
  const moveTo = (people: number) =>
    onMove(Math.min(PEOPLE_MAX, Math.max(PEOPLE_MIN, people)) / 100)

  function press(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    moveTo(percent + step)
  }

  function drag(event: PointerEvent<HTMLElement>): void {
    const { currentTarget, pointerId, clientX, clientY } = event
    const stage = currentTarget.parentElement?.getBoundingClientRect()
    if (stage === undefined || !currentTarget.hasPointerCapture(pointerId)) return
    const share = isUpright
      ? (stage.right - clientX) / stage.width
      : (stage.bottom - clientY) / stage.height
    moveTo(share * 100)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator with a value is a control
    <hr
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the same
      tabIndex={0}
      className={styles.divider}
      style={place}
      aria-label={text.divider}
      aria-orientation={isUpright ? 'vertical' : 'horizontal'}
      aria-valuenow={100 - percent}
      aria-valuemin={100 - PEOPLE_MAX}
      aria-valuemax={100 - PEOPLE_MIN}
      onKeyDown={press}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
    />
  )
}
