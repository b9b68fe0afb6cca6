import type { ReactNode } from 'react'
import { ToggleButton } from 'react-aria-components'
import styles from './round-toggle.module.css'

interface RoundToggleProps {
  icon: ReactNode
  label: string
  isOn: boolean
  isDisabled?: boolean
  onPress: () => void
}

/** A switch over video. Shape, colour and label show that it is off. */
export function RoundToggle({ icon, label, isOn, isDisabled, onPress }: RoundToggleProps) {
  return (
    <ToggleButton
      className={styles.toggle ?? ''}
      aria-label={label}
      isSelected={!isOn}
      isDisabled={isDisabled ?? false}
      onChange={onPress}
    >
      {icon}
    </ToggleButton>
  )
}
