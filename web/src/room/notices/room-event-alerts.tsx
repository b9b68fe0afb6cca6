import { useState } from 'react'
import { Button } from 'react-aria-components'
import { CloseIcon, HandIcon, HelpIcon, WarningIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import type { ReceivedEvent } from '../../live/store.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { alertsOf } from './alerts.ts'
import styles from './room-event-alerts.module.css'
import { roomEventText } from './room-event-text.ts'

interface RoomEventAlertsProps {
  /** Others see the own screen, and anything that appears on this page with it. */
  isScreenShared: boolean
}

/** Alerts that need immediate attention, over the videos until they are dismissed. */
export function RoomEventAlerts({ isScreenShared }: RoomEventAlertsProps) {
  const { store, role } = useLive()
  const facts = useLiveState((state) => state.facts)
  const roster = useLiveState((state) => state.roster)
  const [dismissed, setDismissed] = useState<ReadonlySet<number>>(new Set())
  const isMine = ({ participant_id }: Pick<ReceivedEvent, 'participant_id'>) =>
    store.isMine({ id: '', participant_id })
  const hasHandRaised = (identity: string) =>
    roster.some((person) => person.identity === identity && person.has_hand_raised)
  const roleOf = (identity: string) => roster.find((person) => person.identity === identity)?.role
  const alerts = alertsOf(facts, { role, dismissed, isMine, hasHandRaised, roleOf, isScreenShared })
  return (
    <div role="alert" className={styles.alerts}>
      {alerts.map((event) => (
        <Alert
          key={event.key}
          event={event}
          onDismiss={() => setDismissed((before) => new Set([...before, event.key]))}
        />
      ))}
    </div>
  )
}

function Alert({ event, onDismiss }: { event: ReceivedEvent; onDismiss: () => void }) {
  const text = useToolsText()
  return (
    <div className={styles.alert} data-type={event.type}>
      {iconOf(event.type)}
      <strong>{roomEventText(text, event)}</strong>
      <Button className={styles.dismiss ?? ''} aria-label={text.facts.dismiss} onPress={onDismiss}>
        <CloseIcon />
      </Button>
    </div>
  )
}

function iconOf(type: ReceivedEvent['type']) {
  if (type === 'hand.raised') return <HandIcon />
  return type === 'help.requested' ? <HelpIcon /> : <WarningIcon />
}
