import { randomUUID } from 'node:crypto'
import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { recordWebhookEvent } from './record-event.ts'
import {
  type Endpoint,
  findEndpoint,
  type ListedDelivery,
  listDeliveries,
  type Redelivery,
  redeliver,
} from './store.ts'

/** The tenant's endpoint; undefined before one is set. */
export async function endpointOf(
  { db }: Pick<Deps, 'db'>,
  tenantId: string,
): Promise<Endpoint | undefined> {
  return findEndpoint(db, tenantId)
}

/** Newest first. */
export async function deliveriesOf(
  { db }: Pick<Deps, 'db'>,
  query: { tenantId: string; limit: number },
): Promise<ListedDelivery[]> {
  return listDeliveries(db, query)
}

/** Sends a `webhook.test` event the same way as every other. */
export async function testWebhooks(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  tenantId: string,
): Promise<void> {
  const name = `test:${randomUUID()}`
  await inTransaction(db, (tx) =>
    recordWebhookEvent(tx, {
      tenantId,
      type: 'webhook.test',
      streamKey: name,
      dedupeKey: name,
      occurredAt: clock(),
      data: { message: 'This is a test of your webhook endpoint.' },
    }),
  )
}

/** Makes events due once more, with the same id and bytes; answers how many. */
export async function redeliverWebhooks(
  { db }: Pick<Deps, 'db'>,
  wanted: Redelivery,
): Promise<number> {
  return inTransaction(db, (tx) => redeliver(tx, wanted))
}
