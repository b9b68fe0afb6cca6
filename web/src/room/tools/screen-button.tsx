import type { CallConnection } from '../../connection/call-connection.ts'
import type { InRoom } from '../../connection/call-state.ts'
import { ScreenIcon } from '../../design/icons.tsx'
import { usePeopleText } from '../../i18n/people-text.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { canBrowserShareScreen } from './can-share-screen.ts'
import { ControlButton } from './control-button.tsx'

interface ScreenButtonProps {
  call: CallConnection
  state: InRoom
}

/** Shown to moderators, and to a panelist whom a moderator allows to share the screen. Phones cannot share theirs. */
export function ScreenButton({ call, state: { facts, scene } }: ScreenButtonProps) {
  const text = usePeopleText()
  const isAllowed = useLiveState((state) =>
    state.roster.some(
      (person) => person.identity === scene.identity && person.may_share_screen === true,
    ),
  )
  const mayShare = isAllowed || facts.capabilities.canShareScreen
  if (!mayShare || !canBrowserShareScreen()) return null
  const isShared = scene.screenShare === 'on'
  return (
    <ControlButton
      icon={<ScreenIcon isOff={isShared} />}
      label={isShared ? text.stopScreen : text.shareScreen}
      look={isShared ? 'on' : 'plain'}
      onPress={() => void call.shareScreen(!isShared)}
    />
  )
}
