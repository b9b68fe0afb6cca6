import type { ReactNode } from 'react'
import { useLiveState } from '../../live/use-live.tsx'
import styles from './beside-handout.module.css'
import { HandoutStage } from './handout-stage.tsx'

interface BesideHandoutProps {
  canModerate: boolean
  /** The people, who make room for what is shown. */
  children: ReactNode
}

export function BesideHandout({ canModerate, children }: BesideHandoutProps) {
  const isShown = useLiveState((state) => state.presentation !== null)
  return (
    <div className={styles.frame}>
      <div className={styles.split} data-shown={isShown}>
        <HandoutStage canModerate={canModerate} />
        <div className={styles.people}>{children}</div>
      </div>
    </div>
  )
}
