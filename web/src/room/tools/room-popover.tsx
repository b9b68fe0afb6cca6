import type { ReactNode } from 'react'
import { Popover } from 'react-aria-components'
import styles from './room-popover.module.css'

interface RoomPopoverProps {
  /** Above a button of the bar, or below one of the header or of a row. */
  placement: 'top' | 'bottom end'
  /** A menu is small. A panel is high, and opens at the edge of the page. A strip is wide and low. */
  shape?: 'menu' | 'panel' | 'strip'
  children: ReactNode
}

/** A menu or a form over the pictures. It leaves the middle of a face free; on a phone it is a sheet. */
export function RoomPopover({ placement, shape = 'menu', children }: RoomPopoverProps) {
  return (
    <Popover className={styles.popover ?? ''} placement={placement} data-shape={shape}>
      {children}
    </Popover>
  )
}
