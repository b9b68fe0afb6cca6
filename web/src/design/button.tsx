import type { Ref } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import styles from './button.module.css'

interface ButtonProps extends Omit<AriaButtonProps, 'className'> {
  look?: 'primary' | 'plain' | 'quiet' | 'danger'
  size?: 'small' | 'medium' | 'large'
  ref?: Ref<HTMLButtonElement>
}

export function Button({ look = 'plain', size = 'medium', ...rest }: ButtonProps) {
  return (
    <AriaButton
      {...rest}
      className={`${styles.button} ${styles[look]} ${size === 'medium' ? '' : styles[size]}`}
    />
  )
}
