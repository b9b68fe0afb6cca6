import type { CallConnection } from '../../connection/call-connection.ts'
import type { InRoom } from '../../connection/call-state.ts'
import { BrandLogo, useBranding } from '../../design/branding.tsx'
import { EyeIcon } from '../../design/icons.tsx'
import { Redrawn } from '../../design/redrawn.tsx'
import { useFocusOnArrival } from '../../design/use-focus-on-arrival.ts'
import { LanguageSwitch, useLocale } from '../../i18n/language.tsx'
import { useText } from '../../i18n/text.ts'
import { clockText } from '../../i18n/times.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { SlotClock } from '../notices/slot-clock.tsx'
import { RecordingAlarm } from '../recording/recording-alarm.tsx'
import { RecordingControls } from '../recording/recording-controls.tsx'
import { RecordingIndicator } from '../recording/recording-indicator.tsx'
import { useRecordingDoubt } from '../recording/use-recording-doubt.ts'
import type { StageView } from '../stage/use-layout.ts'
import { ViewTools } from '../stage/view-tools.tsx'
import styles from './call-header.module.css'
import { ConnectionPanel } from './connection-panel.tsx'
import { PhoneMenu, type PhoneMenuProps } from './phone-menu.tsx'

interface CallHeaderProps {
  call: CallConnection
  state: InRoom
  view: StageView
  /** On a phone, in place of the choices of view and language. */
  menu: PhoneMenuProps | undefined
}

export function CallHeader({ call, state, view, menu }: CallHeaderProps) {
  const { facts } = state
  const text = useText()
  const locale = useLocale()
  const branding = useBranding()
  const heading = useFocusOnArrival()
  const moved = useLiveState((state) => state.slot)
  const { startsAt, endsAt } = moved ?? facts
  const { role } = facts.me
  const { canModerate } = facts.capabilities
  const found = useRecordingDoubt({ isRecorded: facts.isRecorded, people: state.scene.people })
  const doubt = canModerate ? found : null
  const end = endsAt === null ? undefined : clockText(endsAt, locale)
  return (
    <header className={styles.header}>
      {/* Above the buttons, where nothing that they open covers it. */}
      {canModerate && <RecordingAlarm doubt={doubt} />}
      <div className={styles.title}>
        <span className={styles.logo}>
          <BrandLogo />
        </span>
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {facts.sessionName ?? branding?.name ?? text.productName}
        </h1>
        {end !== undefined && <span>{text.call.until(end)}</span>}
        {role !== 'panelist' && startsAt !== null && endsAt !== null && (
          <SlotClock startsAt={startsAt} endsAt={endsAt} />
        )}
      </div>
      {(role === 'observer' || role === 'platform_observer') && (
        <p className={styles.watching}>
          <EyeIcon />
          <span>{text.observer.badge[role]}</span>
        </p>
      )}
      <div className={styles.side} data-tight={canModerate}>
        <Redrawn>
          {/* Nothing hides it, not even a phone's page that nobody touches. */}
          <span data-kept>
            {canModerate ? (
              <RecordingControls endsAt={endsAt} doubt={doubt} />
            ) : (
              <RecordingIndicator doubt={doubt} />
            )}
          </span>
        </Redrawn>
        <Redrawn>
          <ConnectionPanel call={call} state={state} />
        </Redrawn>
        {menu === undefined && <ViewTools view={view} count={state.scene.people.length} />}
        {menu === undefined ? <LanguageSwitch /> : <PhoneMenu {...menu} />}
      </div>
    </header>
  )
}
