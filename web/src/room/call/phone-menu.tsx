import { useState } from 'react'
import { Button, Dialog, DialogTrigger, Modal, ModalOverlay } from 'react-aria-components'
import { CameraIcon, ExitIcon, MoreIcon } from '../../design/icons.tsx'
import { LanguageSwitch } from '../../i18n/language.tsx'
import { useText } from '../../i18n/text.ts'
import { useToolsText } from '../../i18n/tools-text.ts'
import { CaptionMenu } from '../captions/caption-menu.tsx'
import { OwnConsent } from '../consent/own-consent.tsx'
import { ViewTools } from '../stage/view-tools.tsx'
import { CloseDialog } from '../tools/close-dialog.tsx'
import { ControlButton } from '../tools/control-button.tsx'
import { HandButton } from '../tools/hand-button.tsx'
import { ScreenButton } from '../tools/screen-button.tsx'
import { toolsOf } from '../tools/tools-of.ts'
import { type ControlsProps, Marker } from './controls.tsx'
import { DeviceMenu } from './device-menu.tsx'
import type { SidePanel } from './panels.tsx'
import styles from './phone-menu.module.css'
import { PanelButtons, UnreadCount } from './side-panels.tsx'

export interface PhoneMenuProps extends ControlsProps {
  panels: readonly SidePanel[]
  /** The chat whose button is in the row of the controls. */
  chatId: string | undefined
  openIds: readonly string[]
  onToggle: (id: string) => void
}

/** Everything that a phone has no space for, in a sheet over the lower edge. */
export function PhoneMenu(props: PhoneMenuProps) {
  const { panels, chatId, openIds, onToggle, ...controls } = props
  const { more: text } = useToolsText()
  const others = panels.filter(({ id }) => id !== chatId)
  return (
    <DialogTrigger>
      <Button className={styles.open ?? ''} aria-label={text.button}>
        <MoreIcon />
        <UnreadCount count={others.reduce((sum, { count }) => sum + count, 0)} />
      </Button>
      <ModalOverlay className={styles.overlay ?? ''} isDismissable>
        <Modal className={styles.sheet ?? ''}>
          <Dialog className={styles.dialog ?? ''} aria-label={text.label}>
            {({ close }) => (
              <>
                <PanelButtons
                  panels={panels}
                  openIds={openIds}
                  place="menu"
                  onToggle={(id) => {
                    close()
                    onToggle(id)
                  }}
                />
                <div className={styles.tools}>
                  <Tools {...controls} />
                </div>
                <div className={styles.page}>
                  <ViewTools view={controls.view} count={controls.state.scene.people.length} />
                  <LanguageSwitch />
                </div>
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  )
}

function Tools({ call, state, view, hand, captions }: ControlsProps) {
  const { facts } = state
  const { shortcut } = useText().call
  const text = useToolsText().more
  const { role } = facts.me
  const isPanelist = role === 'panelist'
  return (
    <>
      {toolsOf(role).canMark && <Marker role={role} />}
      {isPanelist && <HandButton hand={hand} shortcutHint={shortcut('H')} />}
      <ScreenButton call={call} state={state} />
      <DeviceMenu call={call} facts={facts} />
      <CaptionMenu choice={captions} />
      {isPanelist && <OwnConsent call={call} consents={facts.consents} />}
      {!facts.capabilities.isVisible && (
        <ControlButton
          icon={<CameraIcon isOff={!view.isSaving} />}
          label={view.isSaving ? text.showVideos : text.stopVideos}
          look="plain"
          onPress={view.toggleSaving}
        />
      )}
      {facts.capabilities.canClose && <CloseButton />}
    </>
  )
}

function CloseButton() {
  const text = useToolsText().more
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ControlButton
        icon={<ExitIcon />}
        label={text.close}
        look="plain"
        onPress={() => setIsOpen(true)}
      />
      <CloseDialog isOpen={isOpen} onOpenChange={setIsOpen} />
    </>
  )
}
