import type {
  WebhookData,
  WebhookEnvelope,
  WebhookType,
} from '@interview-room/contract/webhooks.ts'
import type { Tx } from '../db/db.ts'
import { traceContext, traceparent } from '../lib/trace.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { insertEvent } from './delivery-store.ts'

export interface NewWebhookEvent<T extends WebhookType> {
  tenantId: string
  type: T
  /** The resource whose events keep their order, for example `recording:<id>`. */
  streamKey: string
  /** The transition that the event reports; a second record of it does nothing. */
  dedupeKey: string
  occurredAt: Date
  data: WebhookData[T]
  /** The only endpoint that gets it; absent for all that take its type. */
  onlyTo?: string
}

/**
 * Records an event for the tenant, in the transaction of its change: with that commit it is kept and will be
 * delivered, without it nothing was sent. The bytes are final from here on. Answers its id.
 */
export async function recordWebhookEvent<T extends WebhookType>(
  tx: Tx,
  event: NewWebhookEvent<T>,
): Promise<string> {
  const id = `evt_${uuidv7().replaceAll('-', '')}`
  const envelope: WebhookEnvelope<T> = {
    id,
    version: '1',
    type: event.type,
    occurred_at: event.occurredAt.toISOString(),
    data: event.data,
  }
  await insertEvent(tx, {
    ...event,
    id,
    body: JSON.stringify(envelope),
    traceparent: traceparent() ?? null,
    traceContext: traceContext() ?? null,
  })
  return id
}
