import type {
  OutcomeBody,
  WebhookDeliveryBody,
  WebhookDeliveryDetailBody,
} from '@interview-room/contract/webhook-management.ts'
import { useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { useLocale } from '../i18n/language.tsx'
import { timeText } from '../i18n/times.ts'
import { useAction } from '../pages/use-action.ts'
import { useConsole } from './console-context.ts'
import { useText } from './console-text.ts'
import styles from './console.module.css'
import { Problem } from './list-panel.tsx'
import { Outcome } from './outcome.tsx'

interface DeliveryDetailProps {
  delivery: WebhookDeliveryBody
  onChanged: () => void
}

/** The sent body, the result of each attempt, and a button that sends it again. */
export function DeliveryDetail({ delivery, onChanged }: DeliveryDetailProps) {
  const { api } = useConsole()
  const text = useText().deliveries
  const [outcome, setOutcome] = useState<OutcomeBody>()
  const { isBusy, error, run } = useAction()
  const { id, attempts_made: attemptsMade, state } = delivery

  const redeliver = () =>
    run(async () => {
      setOutcome(undefined)
      setOutcome(await api<'redeliverWebhook'>('POST', `/webhook-deliveries/${id}/redeliver`))
      onChanged()
    })

  return (
    <div className={styles.detail}>
      <div className={styles.buttons}>
        <Button isPending={isBusy} onPress={() => void redeliver()}>
          {text.redeliver}
        </Button>
        <Outcome outcome={outcome} />
      </div>
      <Problem error={error} />
      <Content key={`${attemptsMade} ${state}`} deliveryId={id} />
    </div>
  )
}

/** Loaded once. The component's key changes with every attempt. */
function Content({ deliveryId }: { deliveryId: string }) {
  const { api } = useConsole()
  const words = useText()
  const [detail, setDetail] = useState<WebhookDeliveryDetailBody>()
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let isOver = false
    void api<'getWebhookDelivery'>('GET', `/webhook-deliveries/${deliveryId}`).then(
      (found) => !isOver && setDetail(found),
      (failure: unknown) => !isOver && setError(failure),
    )
    return () => {
      isOver = true
    }
  }, [api, deliveryId])

  if (error !== null) return <Problem error={error} />
  if (detail === undefined) return <output className={styles.lead}>{words.loading}</output>
  return (
    <>
      <Attempts attempts={detail.attempts} />
      <section aria-label={words.deliveries.body}>
        <pre className={styles.code}>{JSON.stringify(detail.event, null, 2)}</pre>
      </section>
    </>
  )
}

function Attempts({ attempts }: Pick<WebhookDeliveryDetailBody, 'attempts'>) {
  const text = useText().deliveries
  const locale = useLocale()
  if (attempts.length === 0) return <p className={styles.lead}>{text.noAttempts}</p>
  return (
    <ol className={styles.attempts} aria-label={text.attemptsLabel}>
      {attempts.map(({ number, started_at: startedAt, status, error, duration_ms: durationMs }) => (
        <li key={number}>
          <time dateTime={startedAt}>{timeText(startedAt, locale)}</time>{' '}
          <span>
            {error === null
              ? text.accepted(status ?? 0, durationMs)
              : text.refused(error, durationMs)}
          </span>
        </li>
      ))}
    </ol>
  )
}
