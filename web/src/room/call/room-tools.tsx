import { useState } from 'react'
import type { CallConnection } from '../../connection/call-connection.ts'
import type { InRoom } from '../../connection/call-state.ts'
import { HelpIcon } from '../../design/icons.tsx'
import { loadedLater } from '../../design/loaded-later.tsx'
import { useText } from '../../i18n/text.ts'
import { useToolsText } from '../../i18n/tools-text.ts'
import type { StageView } from '../stage/use-layout.ts'
import { canBrowserShareScreen } from '../tools/can-share-screen.ts'
import { ControlButton } from '../tools/control-button.tsx'
import { HelpDialog } from '../tools/help-dialog.tsx'
import { MarkerButton } from '../tools/marker-button.tsx'
import { shortcutRows } from '../tools/shortcut-rows.ts'
import type { ShortcutsDialogProps } from '../tools/shortcuts-dialog.tsx'
import { toolsOf } from '../tools/tools-of.ts'
import { useShortcuts } from '../tools/use-shortcuts.ts'
import { MoreMenu } from './more-menu.tsx'

const ShortcutsDialog = loadedLater<ShortcutsDialogProps>(
  async () => (await import('../tools/shortcuts-dialog.tsx')).ShortcutsDialog,
)

interface RoomToolsProps {
  call: CallConnection
  state: InRoom
  view: StageView
}

/** The controls of a role besides microphone and camera. */
export function RoomTools({ call, state: { facts, scene }, view }: RoomToolsProps) {
  const { shortcut } = useText().call
  const text = useToolsText()
  const [isListOpen, setIsListOpen] = useState(false)
  const { role } = facts.me
  const { canMark, canCallForHelp } = toolsOf(role)

  useShortcuts({ '?': () => setIsListOpen(true) })
  return (
    <>
      {canMark && (
        <MarkerButton shortcutHint={shortcut('B')} isPrivateAtFirst={role === 'observer'} />
      )}
      {role === 'panelist' ? (
        <HelpButton />
      ) : (
        <MoreMenu
          canCallForHelp={canCallForHelp}
          canClose={facts.capabilities.canClose}
          screen={
            facts.capabilities.canShareScreen && canBrowserShareScreen()
              ? {
                  isShared: scene.screenShare === 'on',
                  share: (isOn) => void call.shareScreen(isOn),
                }
              : undefined
          }
          saving={facts.capabilities.isVisible ? undefined : view}
          onShortcuts={() => setIsListOpen(true)}
        />
      )}
      <ShortcutsDialog
        rows={shortcutRows(text, facts)}
        isOpen={isListOpen}
        onOpenChange={setIsListOpen}
      />
    </>
  )
}

function HelpButton() {
  const text = useToolsText().help
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ControlButton
        icon={<HelpIcon />}
        label={text.button}
        look="plain"
        onPress={() => setIsOpen(true)}
      />
      <HelpDialog isOpen={isOpen} onOpenChange={setIsOpen} />
    </>
  )
}
