import { type MouseEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { useToolsText } from '../../i18n/tools-text.ts'
import { type Corner, CORNERS, type Box } from './arrange-stage.ts'
import styles from './stage.module.css'

interface FloatingTileProps {
  box: Box
  stage: { width: number; height: number }
  corner: Corner
  /** The person at this page is on it. */
  isOwn: boolean
  onMove: (corner: Corner) => void
  children: ReactNode
}

/** A shorter move is a press with an unsteady finger. */
const DRAG_MIN_PX = 8

/** The small video over the large one. It can be dragged into any corner, and a press moves it to the next one. */
export function FloatingTile({ box, stage, corner, isOwn, onMove, children }: FloatingTileProps) {
  const text = useToolsText().layout
  const from = useRef<{ x: number; y: number } | null>(null)
  const wasDragged = useRef(false)
  const [drag, setDrag] = useState({ x: 0, y: 0 })

  function begin(event: PointerEvent<HTMLElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId)
    from.current = { x: event.clientX, y: event.clientY }
    wasDragged.current = false
  }

  function move(event: PointerEvent): void {
    if (from.current === null) return
    const to = { x: event.clientX - from.current.x, y: event.clientY - from.current.y }
    wasDragged.current ||= Math.hypot(to.x, to.y) >= DRAG_MIN_PX
    if (wasDragged.current) setDrag(to)
  }

  function end(): void {
    if (wasDragged.current) onMove(nearestCorner({ box, stage, drag }))
    from.current = null
    setDrag({ x: 0, y: 0 })
  }

  function press({ detail }: MouseEvent): void {
    // The click that ends a drag. A click by keyboard never follows a drag.
    if (detail > 0 && wasDragged.current) return
    onMove(CORNERS[(CORNERS.indexOf(corner) + 1) % CORNERS.length] ?? corner)
  }

  return (
    <div className={styles.own} style={{ translate: `${drag.x}px ${drag.y}px` }}>
      {children}
      <button
        type="button"
        className={styles.handle}
        aria-label={isOwn ? text.moveSelf : text.moveSmall}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
        onClick={press}
      />
    </div>
  )
}

type DragEnd = Pick<FloatingTileProps, 'box' | 'stage'> & { drag: { x: number; y: number } }

function nearestCorner({ box, stage, drag }: DragEnd): Corner {
  const isRight = box.left + drag.x + box.width / 2 > stage.width / 2
  const isBottom = box.top + drag.y + box.height / 2 > stage.height / 2
  return `${isBottom ? 'bottom' : 'top'}-${isRight ? 'right' : 'left'}`
}
