import { useState } from 'react'
import type { CallConnection } from '../../connection/call-connection.ts'
import type { InRoom } from '../../connection/call-state.ts'
import { CameraIcon, HelpIcon, LeaveIcon, MicrophoneIcon } from '../../design/icons.tsx'
import { loadedLater } from '../../design/loaded-later.tsx'
import { rememberDevices } from '../../devices/remembered.ts'
import { useText } from '../../i18n/text.ts'
import { useToolsText } from '../../i18n/tools-text.ts'
import { CaptionMenu } from '../captions/caption-menu.tsx'
import type { CaptionChoice } from '../captions/use-caption-choice.ts'
import { OwnConsent } from '../consent/own-consent.tsx'
import type { StageView } from '../stage/use-layout.ts'
import { ControlButton } from '../tools/control-button.tsx'
import { HandButton } from '../tools/hand-button.tsx'
import { HelpDialog } from '../tools/help-dialog.tsx'
import { MarkerButton } from '../tools/marker-button.tsx'
import { ScreenButton } from '../tools/screen-button.tsx'
import { shortcutRows } from '../tools/shortcut-rows.ts'
import type { ShortcutsDialogProps } from '../tools/shortcuts-dialog.tsx'
import { toolsOf } from '../tools/tools-of.ts'
import type { Hand } from '../tools/use-hand.ts'
import { useShortcuts } from '../tools/use-shortcuts.ts'
import { ChatButton, type ChatButtonProps } from './chat-button.tsx'
import styles from './controls.module.css'
import { DeviceMenu } from './device-menu.tsx'
import { MoreMenu } from './more-menu.tsx'

const ShortcutsDialog = loadedLater<ShortcutsDialogProps>(
  async () => (await import('../tools/shortcuts-dialog.tsx')).ShortcutsDialog,
)

export interface ControlsProps {
  call: CallConnection
  state: InRoom
  view: StageView
  hand: Hand
  captions: CaptionChoice
}

/** All controls, in groups: one's own media, the tools of a role, and the way out. */
export function Controls({ call, state, view, hand, captions }: ControlsProps) {
  const { facts } = state
  const text = useText().call
  const shortcuts = useShortcutList(facts)
  const { role } = facts.me
  const { canMark, canCallForHelp } = toolsOf(role)
  const isPanelist = role === 'panelist'
  return (
    <section className={styles.controls} data-region tabIndex={-1} aria-label={text.controls}>
      <div className={styles.group}>
        <OwnMedia call={call} state={state} />
        <ScreenButton call={call} state={state} />
        {isPanelist && <HandButton hand={hand} shortcutHint={text.shortcut('H')} />}
      </div>
      <div className={styles.group}>
        {canMark && <Marker role={role} />}
        <DeviceMenu call={call} facts={facts} />
        <CaptionMenu choice={captions} />
        {isPanelist && <OwnConsent call={call} consents={facts.consents} />}
      </div>
      <div className={styles.group}>
        {isPanelist ? (
          <HelpButton />
        ) : (
          <MoreMenu
            canCallForHelp={canCallForHelp}
            canClose={facts.capabilities.canClose}
            saving={facts.capabilities.isVisible ? undefined : view}
            onShortcuts={() => shortcuts.onOpenChange(true)}
          />
        )}
        <LeaveButton call={call} />
      </div>
      <ShortcutsDialog {...shortcuts} />
    </section>
  )
}

interface PhoneControlsProps extends Pick<ControlsProps, 'call' | 'state'> {
  chat: ChatButtonProps
}

/** The five controls that fit into one row of a phone. The others are in its menu. */
export function PhoneControls({ call, state, chat }: PhoneControlsProps) {
  const text = useText().call
  const shortcuts = useShortcutList(state.facts)
  return (
    <section className={styles.controls} data-region tabIndex={-1} aria-label={text.controls}>
      <div className={styles.group}>
        <OwnMedia call={call} state={state} />
        <ChatButton {...chat} />
        {toolsOf(state.facts.me.role).canCallForHelp && <HelpButton />}
        <LeaveButton call={call} />
      </div>
      <ShortcutsDialog {...shortcuts} />
    </section>
  )
}

/** The list of shortcuts, which opens with a question mark. */
function useShortcutList(facts: InRoom['facts']): ShortcutsDialogProps {
  const text = useToolsText()
  const [isOpen, onOpenChange] = useState(false)
  useShortcuts({ '?': () => onOpenChange(true) })
  return { rows: shortcutRows(text, facts), isOpen, onOpenChange }
}

/** The switches of one's own microphone and camera. */
function OwnMedia({ call, state: { facts, scene } }: Pick<ControlsProps, 'call' | 'state'>) {
  const text = useText().call
  const { canPublishMicrophone, canPublishCamera } = facts.capabilities
  const isMicrophoneOn = scene.microphone !== 'off'
  const isCameraOn = scene.camera !== 'off'

  function toggleMicrophone(): void {
    if (scene.microphone === 'starting') return
    rememberDevices({ isMicrophoneOn: !isMicrophoneOn })
    void call.setMicrophone(!isMicrophoneOn)
  }

  function toggleCamera(): void {
    if (scene.camera === 'starting') return
    rememberDevices({ isCameraOn: !isCameraOn })
    void call.setCamera(!isCameraOn)
  }

  useShortcuts({
    m: canPublishMicrophone ? toggleMicrophone : undefined,
    v: canPublishCamera ? toggleCamera : undefined,
  })

  return (
    <>
      {canPublishMicrophone && (
        <ControlButton
          icon={<MicrophoneIcon isOff={!isMicrophoneOn} />}
          label={isMicrophoneOn ? text.muteMicrophone : text.unmuteMicrophone}
          hint={text.shortcut('M')}
          look={isMicrophoneOn ? 'plain' : 'off'}
          onPress={toggleMicrophone}
        />
      )}
      {canPublishCamera && (
        <ControlButton
          icon={<CameraIcon isOff={!isCameraOn} />}
          label={isCameraOn ? text.stopCamera : text.startCamera}
          hint={text.shortcut('V')}
          look={isCameraOn ? 'plain' : 'off'}
          onPress={toggleCamera}
        />
      )}
    </>
  )
}

export function Marker({ role }: Pick<InRoom['facts']['me'], 'role'>) {
  const { shortcut } = useText().call
  return <MarkerButton shortcutHint={shortcut('B')} isPrivateAtFirst={role === 'observer'} />
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

function LeaveButton({ call }: Pick<ControlsProps, 'call'>) {
  const text = useText().call
  return (
    <ControlButton
      icon={<LeaveIcon />}
      label={text.leave}
      look="leave"
      onPress={() => void call.leave()}
    />
  )
}
