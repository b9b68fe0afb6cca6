import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import styles from './control-button.module.css'

interface ControlButtonProps {
  icon: ReactNode
  label: string
  /** The keyboard shortcut, in words. */
  hint?: string
  /** `on`: something of one's own is active, such as a raised hand. */
  look: 'plain' | 'on' | 'off' | 'leave'
  onPress?: () => void
  /** A number in the corner. */
  children?: ReactNode
}

export function ControlButton({ icon, label, hint, look, onPress, children }: ControlButtonProps) {
  return (
    <Button
      className={styles.control ?? ''}
      data-look={look}
      {...(hint === undefined ? {} : { 'aria-description': hint })}
      {...(onPress === undefined ? {} : { onPress })}
    >
      <span className={styles.icon}>{icon}</span>
      <span className={styles.label}>{label}</span>
      {children}
    </Button>
  )
}
