interface SelectFieldProps {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  className?: string | undefined
  onChange: (value: string) => void
}

export function SelectField({ label, value, options, className, onChange }: SelectFieldProps) {
  return (
    <label className={className}>
      {label}
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

interface TextFieldProps {
  label: string
  value: string
  maxLength: number
  className?: string | undefined
  onChange: (value: string) => void
}

export function TextField({ label, value, maxLength, className, onChange }: TextFieldProps) {
  return (
    <label className={className}>
      {label}
      <input
        value={value}
        maxLength={maxLength}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

interface NumberFieldProps {
  label: string
  value: string
  min: number
  max: number
  step?: number
  /** Id of the element with the error message. Undefined if the value is valid. */
  problemId?: string | undefined
  onChange: (value: string) => void
}

export function NumberField({ label, value, problemId, onChange, ...range }: NumberFieldProps) {
  return (
    <label>
      {label}
      <input
        type="number"
        inputMode="decimal"
        required
        {...range}
        value={value}
        {...(problemId !== undefined && { 'aria-invalid': true, 'aria-describedby': problemId })}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
