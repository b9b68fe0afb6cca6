import { HandIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { ControlButton } from './control-button.tsx'
import { useRequest } from './use-request.ts'
import { useShortcuts } from './use-shortcuts.ts'

interface HandButtonProps {
  /** Of this page, as everybody knows it. */
  identity: string | undefined
  shortcutHint: string
}

/** Raises the hand, and lowers it again. */
export function HandButton({ identity, shortcutHint }: HandButtonProps) {
  const text = useToolsText().hand
  const { status, post } = useRequest()
  const isRaised = useLiveState((state) =>
    state.roster.some((person) => person.identity === identity && person.has_hand_raised),
  )

  function toggle(): void {
    if (status === 'sending') return
    void post<'postRoomEvent'>('/events', { event_type: isRaised ? 'hand.lowered' : 'hand.raised' })
  }

  useShortcuts({ h: toggle })
  return (
    <>
      <ControlButton
        icon={<HandIcon />}
        label={isRaised ? text.lower : text.raise}
        hint={shortcutHint}
        look={isRaised ? 'on' : 'plain'}
        size="small"
        onPress={toggle}
      />
      {status === 'failed' && (
        <span className="visually-hidden" role="alert">
          {text.failed}
        </span>
      )}
    </>
  )
}
