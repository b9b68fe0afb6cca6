import type {
  OutcomeBody,
  WebhookEndpointBody,
} from '@interview-room/contract/webhook-management.ts'
import { useState } from 'react'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { ConfirmButton } from '../design/confirm-button.tsx'
import { useLocale } from '../i18n/language.tsx'
import { momentText } from '../i18n/times.ts'
import { useAction } from '../pages/use-action.ts'
import { useConsole } from './console-context.ts'
import { useText } from './console-text.ts'
import styles from './console.module.css'
import { Facts, Problem } from './list-panel.tsx'
import { Outcome } from './outcome.tsx'

const TONES = { active: 'good', paused: 'warn', gone: 'danger' } as const

export interface NewSecret {
  url: string
  secret: string
}

interface EndpointRowProps {
  endpoint: WebhookEndpointBody
  onChanged: () => void
  onSecret: (shownSecret: NewSecret) => void
}

export function EndpointRow({ endpoint, onChanged, onSecret }: EndpointRowProps) {
  const { api } = useConsole()
  const text = useText().endpoints
  const [outcome, setOutcome] = useState<OutcomeBody>()
  const action = useAction()
  const { id, state } = endpoint

  const test = () =>
    action.run(async () => {
      setOutcome(undefined)
      setOutcome(await api<'testWebhookEndpoint'>('POST', `/webhook-endpoints/${id}/test`))
      onChanged()
    })
  const switchTo = (next: 'active' | 'paused') =>
    action.run(async () => {
      await api<'patchWebhookEndpoint'>('PATCH', `/webhook-endpoints/${id}`, {
        body: { state: next },
      })
      onChanged()
    })

  return (
    <li className={styles.row}>
      <div className={styles.rowTitle}>
        <strong>{endpoint.url}</strong>
        <Badge tone={TONES[state]}>{text.state[state]}</Badge>
      </div>
      <EndpointFacts endpoint={endpoint} />
      <div className={styles.buttons}>
        <Button isPending={action.isBusy} onPress={() => void test()}>
          {text.test}
        </Button>
        {state === 'active' ? (
          <Button isPending={action.isBusy} onPress={() => void switchTo('paused')}>
            {text.pause}
          </Button>
        ) : (
          <Button isPending={action.isBusy} onPress={() => void switchTo('active')}>
            {text.resume}
          </Button>
        )}
        <RotateAndDelete endpoint={endpoint} onChanged={onChanged} onSecret={onSecret} />
      </div>
      <Outcome outcome={outcome} />
      <Problem error={action.error} />
    </li>
  )
}

function EndpointFacts({ endpoint }: Pick<EndpointRowProps, 'endpoint'>) {
  const text = useText().endpoints
  const locale = useLocale()
  const { description, event_types: types, consecutive_failures: failures } = endpoint
  const probeAt = endpoint.next_probe_at
  return (
    <Facts
      facts={[
        ...(description === null ? [] : [[text.description, description] as const]),
        [text.types, types === null ? text.everyType : types.join(', ')],
        [text.failures, failures],
        ...(probeAt === null ? [] : [[text.nextProbe, momentText(probeAt, locale)] as const]),
        [text.created, momentText(endpoint.created_at, locale)],
      ]}
    />
  )
}

function RotateAndDelete({ endpoint: { id, url }, onChanged, onSecret }: EndpointRowProps) {
  const { api } = useConsole()
  const words = useText()
  const text = words.endpoints
  return (
    <>
      <ConfirmButton
        label={text.rotate}
        words={{
          ...words.confirm,
          title: text.rotateTitle,
          body: text.rotateBody,
          confirm: text.rotate,
        }}
        onConfirm={async () => {
          const path = `/webhook-endpoints/${id}/rotate-secret` as const
          const { secret } = await api<'rotateWebhookSecret'>('POST', path)
          onSecret({ url, secret })
        }}
      />
      <ConfirmButton
        label={text.remove}
        words={{
          ...words.confirm,
          title: text.removeTitle(url),
          body: text.removeBody,
          confirm: text.remove,
        }}
        onConfirm={async () => {
          await api<'deleteWebhookEndpoint'>('DELETE', `/webhook-endpoints/${id}`)
          onChanged()
        }}
      />
    </>
  )
}
