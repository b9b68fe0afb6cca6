import { useState } from 'react'
import { Switch } from 'react-aria-components'
import { Button } from '../../design/button.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { areShortcutsOn, rememberShortcuts } from './shortcut-choice.ts'
import styles from './shortcuts-dialog.module.css'
import { DialogButtons, ToolDialog } from './tool-dialog.tsx'

export interface ShortcutsDialogProps {
  rows: readonly { keys: string; words: string }[]
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** The shortcuts of this page, and a switch for people who do not want them. */
export function ShortcutsDialog({ rows, isOpen, onOpenChange }: ShortcutsDialogProps) {
  const text = useToolsText().shortcuts
  const [areOn, setAreOn] = useState(areShortcutsOn)

  function turn(toOn: boolean): void {
    rememberShortcuts(toOn)
    setAreOn(toOn)
  }

  return (
    <ToolDialog title={text.title} isOpen={isOpen} onOpenChange={onOpenChange}>
      <p>{text.lead}</p>
      <dl className={styles.keys}>
        {rows.map(({ keys, words }) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <Switch className={styles.switch ?? ''} isSelected={areOn} onChange={turn}>
        <span className={styles.rail}>
          <i />
        </span>
        {text.enable}
      </Switch>
      <DialogButtons>
        <Button onPress={() => onOpenChange(false)}>{text.close}</Button>
      </DialogButtons>
    </ToolDialog>
  )
}
