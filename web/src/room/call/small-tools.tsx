import type { CallConnection } from '../../connection/call-connection.ts'
import type { InRoom } from '../../connection/call-state.ts'
import { useText } from '../../i18n/text.ts'
import { useToolsText } from '../../i18n/tools-text.ts'
import { OwnConsent } from '../consent/own-consent.tsx'
import { HandButton } from '../tools/hand-button.tsx'
import { ScreenButton } from '../tools/screen-button.tsx'
import type { Hand } from '../tools/use-hand.ts'
import styles from './controls.module.css'
import { DeviceMenu } from './device-menu.tsx'

interface SmallToolsProps {
  call: CallConnection
  state: InRoom
  hand: Hand
}

/** The panelist's rarely used tools. Their four large controls are the ones that everybody needs. */
export function SmallTools({ call, state: { facts, scene }, hand }: SmallToolsProps) {
  const { shortcut } = useText().call
  const { label } = useToolsText().more
  return (
    <section className={styles.small} aria-label={label}>
      <HandButton hand={hand} shortcutHint={shortcut('H')} />
      <ScreenButton call={call} identity={scene.identity} isShared={scene.screenShare === 'on'} />
      <DeviceMenu call={call} facts={facts} size="small" />
      <OwnConsent call={call} consents={facts.consents} />
    </section>
  )
}
