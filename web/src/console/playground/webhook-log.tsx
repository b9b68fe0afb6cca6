import { Badge } from '../../design/badge.tsx'
import { CheckIcon, WarningIcon } from '../../design/icons.tsx'
import { Panel } from '../../design/panel.tsx'
import { useLocale } from '../../i18n/language.tsx'
import { timeText } from '../../i18n/times.ts'
import type { DeliveredWebhook } from './local-api.ts'
import { usePlayground } from './playground-context.ts'
import { useText } from './text.ts'
import styles from './webhook-log.module.css'

/** The webhooks that the demo receiver got, newest first, as they arrive. */
export function WebhookLog() {
  const text = useText().webhooks
  const { delivered, isLive } = usePlayground().webhooks
  return (
    <Panel
      title={text.title}
      aside={<Badge tone={isLive ? 'good' : 'warn'}>{isLive ? text.isLive : text.isWaiting}</Badge>}
    >
      <p className={styles.lead}>{delivered.length === 0 ? text.empty : text.lead}</p>
      <ul className={styles.list} aria-live="polite" aria-relevant="additions">
        {delivered.map((webhook) => (
          <WebhookRow key={`${webhook.id} ${webhook.received_at}`} webhook={webhook} />
        ))}
      </ul>
    </Panel>
  )
}

function WebhookRow({ webhook }: { webhook: DeliveredWebhook }) {
  const text = useText().webhooks
  const locale = useLocale()
  return (
    <li>
      <details className={styles.row}>
        <summary>
          <time dateTime={webhook.received_at}>{timeText(webhook.received_at, locale)}</time>
          <code>{webhook.type}</code>
          <Badge tone={webhook.verified ? 'good' : 'danger'}>
            {webhook.verified ? <CheckIcon /> : <WarningIcon />}
            <span>{webhook.verified ? text.verified : text.unverified}</span>
          </Badge>
        </summary>
        <pre>{JSON.stringify(webhook.body, null, 2)}</pre>
      </details>
    </li>
  )
}
