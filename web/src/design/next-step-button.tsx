import type { ReactNode } from 'react'
import styles from './next-step-button.module.css'

interface NextStepButtonProps {
  /** On a phone the button stays visible while the page scrolls. */
  isSticky: boolean
  children: ReactNode
}

/** The button at the end of a page that leads to the next page. */
export function NextStepButton({ isSticky, children }: NextStepButtonProps) {
  return (
    <div className={styles.nextStep} data-sticky={isSticky}>
      {children}
    </div>
  )
}
