import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { Button } from '../../design/button.tsx'
import { CloseIcon, HelpIcon, WarningIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import type { ReceivedEvent } from '../../live/store.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { useNews } from '../../live/use-news.ts'
import { useRequest } from '../tools/use-request.ts'
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
  const roleOf = (identity: string) => roster.find((person) => person.identity === identity)?.role
  const alerts = alertsOf(facts, { role, dismissed, isMine, roleOf, isScreenShared })
  return (
    <>
      <div role="alert" className={styles.alerts}>
        {alerts.map((event) => (
          <Alert
            key={event.key}
            event={event}
            mayAnswer={role === 'platform_observer' && event.type === 'help.requested'}
            onDismiss={() => setDismissed((before) => new Set([...before, event.key]))}
          />
        ))}
      </div>
      <HandNews facts={facts} isMine={isMine} />
    </>
  )
}

interface HandNewsProps {
  facts: readonly ReceivedEvent[]
  isMine: (event: ReceivedEvent) => boolean
}

/** Announces a raised hand to people who cannot see it on the tile. */
function HandNews({ facts, isMine }: HandNewsProps) {
  const text = useToolsText().facts
  const last = facts.findLast((event) => event.type === 'hand.raised' && !isMine(event))
  const words = last === undefined ? '' : text.handRaised(last.display_name)
  return (
    <output className="visually-hidden" aria-live="polite">
      {useNews(last === undefined ? null : `${last.key}`, words)}
    </output>
  )
}

interface AlertProps {
  event: ReceivedEvent
  mayAnswer: boolean
  onDismiss: () => void
}

function Alert({ event, mayAnswer, onDismiss }: AlertProps) {
  const text = useToolsText()
  return (
    <div className={styles.alert} data-type={event.type}>
      {event.type === 'help.requested' ? <HelpIcon /> : <WarningIcon />}
      <strong>{roomEventText(text, event)}</strong>
      {mayAnswer && <AnswerButton />}
      <AriaButton
        className={styles.dismiss ?? ''}
        aria-label={text.facts.dismiss}
        onPress={onDismiss}
      >
        <CloseIcon />
      </AriaButton>
    </div>
  )
}

/** Answers all calls for help of the room, as the board does. They disappear for everybody. */
function AnswerButton() {
  const text = useToolsText().facts
  const { status, post } = useRequest()
  return (
    <>
      {status === 'failed' && <span>{text.answerFailed}</span>}
      <Button
        size="small"
        isPending={status === 'sending'}
        onPress={() => void post<'postRoomEvent'>('/events', { event_type: 'help.answered' })}
      >
        {text.answer}
      </Button>
    </>
  )
}
