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
  /** Small ones are beside the buttons of the panels. */
  size?: 'large' | 'small'
  onPress?: () => void
}

export function ControlButton(props: ControlButtonProps) {
  const { icon, label, hint, look, size = 'large', onPress } = props
  return (
    <Button
      className={styles.control ?? ''}
      data-look={look}
      data-size={size}
      {...(hint === undefined ? {} : { 'aria-description': hint })}
      {...(onPress === undefined ? {} : { onPress })}
    >
      <span className={styles.icon}>{icon}</span>
      <span className={styles.label}>{label}</span>
    </Button>
  )
}
