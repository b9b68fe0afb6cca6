import type { Tx } from '../db/db.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { lockEventsOf, replaceEvent } from './erasure-store.ts'

interface ErasedEvents {
  tenantId: string
  /** Of the transitions whose events name the person. */
  dedupeKeys: readonly string[]
  /** The data of an event without the person. */
  withoutPerson: (data: Record<string, unknown>) => Record<string, unknown>
}

/**
 * Takes a person out of events that are kept. The events stay, with their ids and their places in the feed:
 * readers continue behind them. What is still to be delivered is delivered without the person.
 */
export async function eraseEvents(
  tx: Tx,
  { tenantId, dedupeKeys, withoutPerson }: ErasedEvents,
): Promise<number> {
  const events = await lockEventsOf(tx, { tenantId, dedupeKeys })
  for (const { id, body } of events) {
    const envelope = JSON.parse(body) as { data: Record<string, unknown> }
    const data = withoutPerson(envelope.data)
    const streamKey = `erased:${uuidv7()}`
    await replaceEvent(tx, { id, streamKey, body: JSON.stringify({ ...envelope, data }) })
  }
  return events.length
}
