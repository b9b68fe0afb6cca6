import type { ReactNode } from 'react'
import styles from './way-on.module.css'

interface WayOnProps {
  /** On a phone it then stays in sight, whatever is looked at above it. */
  isSticky: boolean
  children: ReactNode
}

/** The button at the end of a page that leads to the next one. */
export function WayOn({ isSticky, children }: WayOnProps) {
  return (
    <div className={styles.wayOn} data-sticky={isSticky}>
      {children}
    </div>
  )
}
