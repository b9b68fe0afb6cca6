import type { CallConnection } from '../../connection/call-connection.ts'
import { ScreenIcon } from '../../design/icons.tsx'
import { usePeopleText } from '../../i18n/people-text.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { canBrowserShareScreen } from './can-share-screen.ts'
import { ControlButton } from './control-button.tsx'

interface ScreenButtonProps {
  call: CallConnection
  /** The identity of the person at this page. */
  identity: string
  isShared: boolean
}

/** Shown to a panelist whom a moderator allows to share the screen, except on phones. */
export function ScreenButton({ call, identity, isShared }: ScreenButtonProps) {
  const text = usePeopleText()
  const isAllowed = useLiveState((state) =>
    state.roster.some((person) => person.identity === identity && person.may_share_screen === true),
  )
  if (!isAllowed || !canBrowserShareScreen()) return null
  return (
    <ControlButton
      icon={<ScreenIcon isOff={isShared} />}
      label={isShared ? text.stopScreen : text.shareScreen}
      look={isShared ? 'on' : 'plain'}
      size="small"
      onPress={() => void call.shareScreen(!isShared)}
    />
  )
}
