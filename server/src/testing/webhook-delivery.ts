import { randomUUID } from 'node:crypto'
import { inTransaction } from '../platform/db/db.ts'
import { recordWebhookEvent } from '../platform/webhooks/record-event.ts'
import { setEndpoint } from '../platform/webhooks/set-endpoint.ts'
import type { ControlPlane } from './control-plane.ts'

/** An endpoint of the tenant that nobody listens at, a pending delivery to it and a replay, by their parameters. */
export async function addWebhookDelivery({
  deps,
  tenant,
  now,
}: ControlPlane): Promise<Record<`webhook_${'endpoint' | 'delivery' | 'replay'}_id`, string>> {
  const { tenantId } = tenant
  const { endpointId } = await setEndpoint(deps, { tenantId, url: 'http://127.0.0.1:9/hooks' })
  const key = randomUUID()
  await inTransaction(deps.db, (tx) =>
    recordWebhookEvent(tx, {
      tenantId,
      type: 'webhook.test',
      streamKey: key,
      dedupeKey: key,
      occurredAt: now,
      data: { message: 'test' },
    }),
  )
  const { data } = await tenant.get('/webhook-deliveries')
  const since = new Date(now.getTime() - 60_000).toISOString()
  const replay = await tenant.post(`/webhook-endpoints/${endpointId}/replay`, { since })
  return {
    webhook_endpoint_id: endpointId,
    webhook_delivery_id: data.items[0].id,
    webhook_replay_id: replay.data.id,
  }
}
