import type { InputHTMLAttributes, Ref } from 'react'
import styles from './text-field.module.css'

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  label: string
  value: string
  ref?: Ref<HTMLInputElement>
  onChange: (value: string) => void
}

/** A line of text with its label above it. */
export function TextField({ label, onChange, ...input }: TextFieldProps) {
  return (
    <label className={styles.field}>
      <span>{label}</span>
      <input
        type="text"
        autoComplete="off"
        {...input}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  )
}
