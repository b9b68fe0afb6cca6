import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import styles from './button.module.css'

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'isPending'> {
  look?: 'primary' | 'plain' | 'quiet' | 'danger'
  /** Keeps the focus, and a press does nothing. */
  isPending?: boolean
  size?: 'small' | 'medium' | 'large'
  children?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

const PENDING = { 'aria-disabled': true, type: 'button', onPress: () => {} } as const

/**
 * Words stand in an element of their own, so that a translated page shows the new ones when they change. React Aria's own
 * `isPending` would leave an image without a name for screen readers after the button is gone.
 */
export function Button(props: ButtonProps) {
  const { look = 'plain', size = 'medium', isPending = false, children, ...rest } = props
  return (
    <AriaButton
      {...rest}
      {...(isPending && PENDING)}
      className={`${styles.button} ${styles[look]} ${size === 'medium' ? '' : styles[size]}`}
    >
      {typeof children === 'string' ? <span>{children}</span> : children}
    </AriaButton>
  )
}
