import type { FeedOnlyData, FeedOnlyType } from '@interview-room/contract/retention.ts'
import type {
  WebhookData,
  WebhookEnvelope,
  WebhookType,
} from '@interview-room/contract/webhooks.ts'
import type { Tx } from '../db/db.ts'
import { traceContext, traceparent } from '../lib/trace.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { insertEvent, insertFeedEvent } from './delivery-store.ts'

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
  const stored = storedEvent(event)
  await insertEvent(tx, { ...event, ...stored })
  return stored.id
}

export type NewFeedEvent<T extends FeedOnlyType> = Omit<
  NewWebhookEvent<WebhookType>,
  'type' | 'data' | 'onlyTo'
> & { type: T; data: FeedOnlyData[T] }

/** The same for an event that is read in the feed: no endpoint gets it, now or by a replay. */
export async function recordFeedEvent<T extends FeedOnlyType>(
  tx: Tx,
  event: NewFeedEvent<T>,
): Promise<void> {
  await insertFeedEvent(tx, { ...event, ...storedEvent(event) })
}

type ReportedEvent = Pick<NewWebhookEvent<WebhookType>, 'occurredAt'> & {
  type: string
  data: unknown
}

/** Its id, and its bytes. */
function storedEvent({ type, occurredAt, data }: ReportedEvent) {
  const id = `evt_${uuidv7().replaceAll('-', '')}`
  const envelope: Record<keyof WebhookEnvelope, unknown> = {
    id,
    version: '1',
    type,
    occurred_at: occurredAt.toISOString(),
    data,
  }
  return {
    id,
    body: JSON.stringify(envelope),
    traceparent: traceparent() ?? null,
    traceContext: traceContext() ?? null,
  }
}
