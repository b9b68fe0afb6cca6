import { HandIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { ControlButton } from './control-button.tsx'
import type { Hand } from './use-hand.ts'
import { useShortcuts } from './use-shortcuts.ts'

interface HandButtonProps {
  hand: Hand
  shortcutHint: string
}

/** Raises the hand, or lowers it again. */
export function HandButton({ hand: { isRaised, toggle }, shortcutHint }: HandButtonProps) {
  const text = useToolsText().hand
  useShortcuts({ h: toggle })
  return (
    <ControlButton
      icon={<HandIcon />}
      label={isRaised ? text.lower : text.raise}
      hint={shortcutHint}
      look={isRaised ? 'on' : 'plain'}
      onPress={toggle}
    />
  )
}
