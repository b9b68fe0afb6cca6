import type {
  WebhookDeliveryBody,
  WebhookEndpointBody,
} from '@interview-room/contract/webhook-management.ts'
import { useCallback, useState } from 'react'
import { Badge } from '../design/badge.tsx'
import { useLocale } from '../i18n/language.tsx'
import { momentText } from '../i18n/times.ts'
import { useConsole } from './console-context.ts'
import { useText } from './console-text.ts'
import styles from './console.module.css'
import { DeliveryDetail } from './delivery-detail.tsx'
import { ListPanel } from './list-panel.tsx'
import { useList } from './use-list.ts'

const STATES = ['pending', 'succeeded', 'failed', 'cancelled'] as const
type State = (typeof STATES)[number]
const TONES = { pending: 'warn', succeeded: 'good', failed: 'danger', cancelled: 'calm' } as const

/** The webhook deliveries with their endpoints and attempts. */
export function Deliveries() {
  const { api } = useConsole()
  const text = useText().deliveries
  const [endpointId, setEndpointId] = useState('')
  const [state, setState] = useState<State | ''>('')
  const endpoints = useEndpoints()
  const load = useCallback(
    (cursor?: string) =>
      api<'listWebhookDeliveries'>('GET', '/webhook-deliveries', {
        query: {
          ...(endpointId !== '' && { endpoint_id: endpointId }),
          ...(state !== '' && { state }),
          ...(cursor !== undefined && { cursor }),
        },
      }),
    [api, endpointId, state],
  )
  const list = useList<WebhookDeliveryBody>(load)
  const filters = (
    <div className={styles.form}>
      <label>
        {text.endpoint}
        <select value={endpointId} onChange={({ target }) => setEndpointId(target.value)}>
          <option value="">{text.every}</option>
          {endpoints?.map(({ id, url }) => (
            <option key={id} value={id}>
              {url}
            </option>
          ))}
        </select>
      </label>
      <label>
        {text.stateLabel}
        <select
          value={state}
          onChange={({ target }) => setState(STATES.find((each) => each === target.value) ?? '')}
        >
          <option value="">{text.every}</option>
          {STATES.map((each) => (
            <option key={each} value={each}>
              {text.state[each]}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
  return (
    <ListPanel title={text.title} empty={text.empty} list={list} filters={filters}>
      {(delivery) => <DeliveryRow key={delivery.id} delivery={delivery} onChanged={list.refresh} />}
    </ListPanel>
  )
}

function useEndpoints(): readonly WebhookEndpointBody[] | undefined {
  const { api } = useConsole()
  const load = useCallback(
    () => api<'listWebhookEndpoints'>('GET', '/webhook-endpoints', { query: { limit: 100 } }),
    [api],
  )
  return useList<WebhookEndpointBody>(load).items
}

interface DeliveryRowProps {
  delivery: WebhookDeliveryBody
  onChanged: () => void
}

function DeliveryRow({ delivery, onChanged }: DeliveryRowProps) {
  const text = useText().deliveries
  const locale = useLocale()
  const [isOpen, setIsOpen] = useState(false)
  const { type, state, attempts_made: attempts, created_at: createdAt } = delivery
  return (
    <li>
      <details
        className={styles.details}
        onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      >
        <summary>
          <time dateTime={createdAt}>{momentText(createdAt, locale)}</time>
          <code>{type}</code>
          <span>{text.attempts(attempts)}</span>
          <Badge tone={TONES[state]}>{text.state[state]}</Badge>
        </summary>
        {isOpen && <DeliveryDetail delivery={delivery} onChanged={onChanged} />}
      </details>
    </li>
  )
}
