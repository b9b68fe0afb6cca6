import type { Tx } from '../db/db.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { lockEventsOf, replaceEvent } from './erasure-store.ts'

interface ErasedEvents {
  tenantId: string
  /** Dedupe keys of the transitions whose events name the person. */
  dedupeKeys: readonly string[]
  /** The data of an event without the person. */
  withoutPerson: (data: Record<string, unknown>) => Record<string, unknown>
}

/**
 * Removes a person from the stored events. The events stay, with their ids and places in the feed, so that readers continue after
 * them. Pending deliveries are sent without the person.
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
