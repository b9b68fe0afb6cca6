import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import styles from './choice-menu.module.css'
import { CheckIcon, ChevronIcon } from './icons.tsx'

interface ChoiceMenuProps {
  label: string
  value: string
  options: readonly { id: string; label: string }[]
  onChoose: (id: string) => void
}

/** One of a few, shown as the current one. */
export function ChoiceMenu({ label, value, options, onChoose }: ChoiceMenuProps) {
  const shown = options.find(({ id }) => id === value)?.label ?? ''
  return (
    <MenuTrigger>
      <Button className={styles.button ?? ''} aria-label={`${label}: ${shown}`}>
        <span>{shown}</span>
        <ChevronIcon />
      </Button>
      <Popover className={styles.popover ?? ''}>
        <Menu
          className={styles.menu ?? ''}
          aria-label={label}
          items={options}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[value]}
          onAction={(key) => onChoose(String(key))}
        >
          {({ id, label }) => (
            <MenuItem id={id} textValue={label} className={styles.item ?? ''}>
              {({ isSelected }) => (
                <>
                  <span>{label}</span>
                  {isSelected && <CheckIcon />}
                </>
              )}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
