import {
  Select as AriaSelect,
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
} from 'react-aria-components'
import { CheckIcon, ChevronIcon } from './icons.tsx'
import styles from './select.module.css'

interface SelectProps {
  label: string
  options: readonly { id: string; label: string }[]
  value: string | null
  placeholder: string
  onChange: (id: string) => void
  isDisabled?: boolean
}

export function Select({ label, options, value, placeholder, onChange, isDisabled }: SelectProps) {
  return (
    <AriaSelect
      className={styles.select ?? ''}
      value={value}
      onChange={(key) => {
        if (key !== null) onChange(String(key))
      }}
      placeholder={placeholder}
      isDisabled={isDisabled ?? false}
    >
      <Label className={styles.label}>{label}</Label>
      <Button className={styles.button ?? ''}>
        <SelectValue className={styles.value ?? ''}>
          {({ selectedText, defaultChildren }) => selectedText ?? defaultChildren}
        </SelectValue>
        <ChevronIcon />
      </Button>
      <Popover className={styles.popover ?? ''}>
        <ListBox className={styles.list ?? ''} items={options}>
          {({ id, label }) => (
            <ListBoxItem id={id} textValue={label} className={styles.item ?? ''}>
              {({ isSelected }) => (
                <>
                  <span>{label}</span>
                  {isSelected && <CheckIcon />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
