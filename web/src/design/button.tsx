import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import styles from './button.module.css'

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  look?: 'primary' | 'plain' | 'quiet' | 'danger'
  size?: 'small' | 'medium' | 'large'
  children?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

/** Words stand in an element of their own, so that a translated page shows the new ones when they change. */
export function Button({ look = 'plain', size = 'medium', children, ...rest }: ButtonProps) {
  return (
    <AriaButton
      {...rest}
      className={`${styles.button} ${styles[look]} ${size === 'medium' ? '' : styles[size]}`}
    >
      {typeof children === 'string' ? <span>{children}</span> : children}
    </AriaButton>
  )
}
