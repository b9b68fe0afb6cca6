import { useState } from 'react'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components'
import { MoreIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import type { StageView } from '../stage/use-layout.ts'
import { CloseDialog } from '../tools/close-dialog.tsx'
import { ControlButton } from '../tools/control-button.tsx'
import { HelpDialog } from '../tools/help-dialog.tsx'
import { RoomPopover } from '../tools/room-popover.tsx'
import styles from '../tools/tools.module.css'

interface MoreMenuProps {
  canCallForHelp: boolean
  canClose: boolean
  /** Present for people who only watch. They can turn the videos off. */
  saving: Pick<StageView, 'isSaving' | 'toggleSaving'> | undefined
  onShortcuts: () => void
}

/** Rarely used actions: calling for help, the list of shortcuts, closing the room. */
export function MoreMenu({ canCallForHelp, canClose, saving, onShortcuts }: MoreMenuProps) {
  const { more: text } = useToolsText()
  const [open, setOpen] = useState<'nothing' | 'help' | 'close'>('nothing')
  const openIf = (which: 'help' | 'close') => (isOpen: boolean) =>
    setOpen(isOpen ? which : 'nothing')
  return (
    <>
      <MenuTrigger>
        <ControlButton icon={<MoreIcon />} label={text.button} look="plain" />
        <RoomPopover placement="top">
          <Menu className={styles.menu ?? ''} aria-label={text.label}>
            {canCallForHelp && (
              <MenuItem className={styles.item ?? ''} onAction={() => setOpen('help')}>
                {text.callOperator}
              </MenuItem>
            )}
            {saving !== undefined && (
              <MenuItem className={styles.item ?? ''} onAction={saving.toggleSaving}>
                {saving.isSaving ? text.showVideos : text.stopVideos}
              </MenuItem>
            )}
            <MenuItem className={styles.item ?? ''} onAction={onShortcuts}>
              {text.shortcuts}
            </MenuItem>
            {canClose && (
              <MenuItem className={styles.item ?? ''} data-danger onAction={() => setOpen('close')}>
                {text.close}
              </MenuItem>
            )}
          </Menu>
        </RoomPopover>
      </MenuTrigger>
      <HelpDialog isOpen={open === 'help'} onOpenChange={openIf('help')} />
      <CloseDialog isOpen={open === 'close'} onOpenChange={openIf('close')} />
    </>
  )
}
