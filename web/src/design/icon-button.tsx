import type { ReactNode } from 'react'
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components'
import styles from './icon-button.module.css'

interface IconButtonProps {
  label: string
  icon: ReactNode
  isDisabled?: boolean
  onPress: () => void
}

/** A button with an icon. Its name appears under the pointer and on focus. */
export function IconButton({ label, icon, isDisabled = false, onPress }: IconButtonProps) {
  return (
    <TooltipTrigger delay={400}>
      <Button
        className={styles.button ?? ''}
        aria-label={label}
        isDisabled={isDisabled}
        onPress={onPress}
      >
        {icon}
      </Button>
      <Tooltip className={styles.tip ?? ''} offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  )
}
