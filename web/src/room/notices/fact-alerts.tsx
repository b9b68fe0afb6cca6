import { useState } from 'react'
import { Button } from 'react-aria-components'
import { CloseIcon, HandIcon, HelpIcon, WarningIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import type { ToldFact } from '../../live/store.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { alertsOf } from './alerts.ts'
import styles from './fact-alerts.module.css'
import { factWords } from './fact-words.ts'

/** What needs somebody at once, over the pictures until it is dismissed. */
export function FactAlerts() {
  const { store, role } = useLive()
  const facts = useLiveState((state) => state.facts)
  const roster = useLiveState((state) => state.roster)
  const [dismissed, setDismissed] = useState<ReadonlySet<number>>(new Set())
  const isMine = ({ participant_id }: Pick<ToldFact, 'participant_id'>) =>
    store.isMine({ id: '', participant_id })
  const hasHandRaised = (identity: string) =>
    roster.some((person) => person.identity === identity && person.has_hand_raised)
  const alerts = alertsOf(facts, { role, dismissed, isMine, hasHandRaised })
  return (
    <div role="alert" className={styles.alerts}>
      {alerts.map((fact) => (
        <Alert
          key={fact.key}
          fact={fact}
          onDismiss={() => setDismissed((before) => new Set([...before, fact.key]))}
        />
      ))}
    </div>
  )
}

function Alert({ fact, onDismiss }: { fact: ToldFact; onDismiss: () => void }) {
  const text = useToolsText()
  return (
    <div className={styles.alert} data-type={fact.type}>
      {iconOf(fact.type)}
      <strong>{factWords(text, fact)}</strong>
      <Button className={styles.dismiss ?? ''} aria-label={text.facts.dismiss} onPress={onDismiss}>
        <CloseIcon />
      </Button>
    </div>
  )
}

function iconOf(type: ToldFact['type']) {
  if (type === 'hand.raised') return <HandIcon />
  return type === 'help.requested' ? <HelpIcon /> : <WarningIcon />
}
