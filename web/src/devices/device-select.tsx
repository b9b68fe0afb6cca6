import { Select } from '../design/select.tsx'
import { useText } from '../i18n/text.ts'
import type { DeviceOption } from './device-check.ts'
import type { DeviceKind } from './device-problem.ts'

interface DeviceSelectProps {
  kind: DeviceKind
  options: readonly DeviceOption[]
  value: string | undefined
  onChange: (id: string) => void
}

/** The devices of one kind. Without permission the browser reveals none, and only the default is listed. */
export function DeviceSelect({ kind, options, value, onChange }: DeviceSelectProps) {
  const text = useText().device
  const named = options.map(({ id, label }, index) => ({
    id,
    label: label === '' ? text.unnamed(index + 1) : label,
  }))
  const chosen = named.find(({ id }) => id === value) ?? named[0]
  return (
    <Select
      label={text[kind]}
      options={named}
      value={chosen?.id ?? null}
      placeholder={text.systemDefault}
      onChange={onChange}
      isDisabled={named.length === 0}
    />
  )
}
