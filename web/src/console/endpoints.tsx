import type { WebhookEndpointBody } from '@interview-room/contract/webhook-management.ts'
import { useCallback } from 'react'
import { useConsole } from './console-context.ts'
import { useText } from './console-text.ts'
import { EndpointForm } from './endpoint-form.tsx'
import { EndpointRow, type NewSecret } from './endpoint-row.tsx'
import { ListPanel } from './list-panel.tsx'
import { useList } from './use-list.ts'

/** The webhook endpoints of the tenant: add, test, pause, resume, rotate, delete. */
export function Endpoints() {
  const { api, showSecret } = useConsole()
  const text = useText().endpoints
  const show = ({ url, secret }: NewSecret) => showSecret({ of: 'endpoint', url, secret })
  const load = useCallback(
    (cursor?: string) =>
      api<'listWebhookEndpoints'>('GET', '/webhook-endpoints', {
        query: { limit: 100, ...(cursor && { cursor }) },
      }),
    [api],
  )
  const list = useList<WebhookEndpointBody>(load)
  return (
    <>
      <EndpointForm
        onCreated={(created) => {
          show(created)
          list.refresh()
        }}
      />
      <ListPanel title={text.title} empty={text.empty} list={list}>
        {(endpoint) => (
          <EndpointRow
            key={endpoint.id}
            endpoint={endpoint}
            onChanged={list.refresh}
            onSecret={show}
          />
        )}
      </ListPanel>
    </>
  )
}
