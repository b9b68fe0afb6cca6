import { ControlButton } from '../tools/control-button.tsx'
import { type PanelChoice, UnreadCount } from './side-panels.tsx'

export interface ChatButtonProps extends PanelChoice {
  /** The main chat of the role. */
  chatId: string | undefined
}

/** Opens the main chat, from the row of a phone. */
export function ChatButton({ chatId, panels, openIds, onToggle }: ChatButtonProps) {
  const chat = panels.find(({ id }) => id === chatId)
  if (chat === undefined) return null
  const { id, label, Icon, count, countText } = chat
  return (
    <ControlButton
      icon={<Icon />}
      label={label}
      look={openIds.includes(id) ? 'on' : 'plain'}
      onPress={() => onToggle(id)}
    >
      <UnreadCount count={count} countText={countText} />
    </ControlButton>
  )
}
