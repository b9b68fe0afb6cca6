interface SelectFieldProps {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  testId?: string
  className?: string | undefined
  onChange: (value: string) => void
}

export function SelectField({
  label,
  value,
  options,
  testId,
  className,
  onChange,
}: SelectFieldProps) {
  return (
    <label className={className}>
      {label}
      <select value={value} data-testid={testId} onChange={(event) => onChange(event.target.value)}>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

interface NumberFieldProps {
  label: string
  value: string
  min: number
  max: number
  step?: number
  testId?: string
  /** Id of what says that it is wrong; undefined while it is not. */
  problemId?: string | undefined
  onChange: (value: string) => void
}

export function NumberField({
  label,
  value,
  testId,
  problemId,
  onChange,
  ...range
}: NumberFieldProps) {
  return (
    <label>
      {label}
      <input
        type="number"
        inputMode="decimal"
        required
        {...range}
        value={value}
        data-testid={testId}
        {...(problemId !== undefined && { 'aria-invalid': true, 'aria-describedby': problemId })}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
