import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Button } from './button.tsx'
import styles from './choice-menu.module.css'

interface ActionMenuProps {
  label: string
  items: readonly { id: string; label: string }[]
  isPending: boolean
  onAction: (id: string) => void
}

/** A button that offers several actions. */
export function ActionMenu({ label, items, isPending, onAction }: ActionMenuProps) {
  return (
    <MenuTrigger>
      <Button size="small" isPending={isPending}>
        {label}
      </Button>
      <Popover className={styles.popover ?? ''}>
        <Menu
          className={styles.menu ?? ''}
          aria-label={label}
          items={items}
          onAction={(key) => onAction(String(key))}
        >
          {({ id, label: each }) => (
            <MenuItem id={id} textValue={each} className={styles.item ?? ''}>
              {each}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
