import type { Tx } from '../db/db.ts'

export interface StoredEvent {
  id: string
  streamKey: string
  body: string
}

/** The events that were recorded for these transitions, locked. */
export async function lockEventsOf(
  tx: Tx,
  { tenantId, dedupeKeys }: { tenantId: string; dedupeKeys: readonly string[] },
): Promise<StoredEvent[]> {
  return tx<StoredEvent[]>`
    select id, stream_key as "streamKey", body
      from webhook_events
     where tenant_id = ${tenantId} and dedupe_key = any(${[...dedupeKeys]})
     order by seq
       for update
  `
}

/**
 * Replaces the bytes and the resource of an event. A delivery that waited for one of the old resource becomes due, because nothing
 * else would make it so.
 */
export async function replaceEvent(tx: Tx, { id, streamKey, body }: StoredEvent): Promise<void> {
  await tx`
    with replaced as (
      update webhook_events
         set body = ${body}, stream_key = ${streamKey}, dedupe_key = 'erased:' || id
       where id = ${id}
      returning id
    )
    update webhook_deliveries d
       set stream_key = ${streamKey},
           due_at = case when d.state = 'pending' then coalesce(d.due_at, clock_timestamp())
                         else d.due_at end
      from replaced
     where d.event_id = replaced.id
  `
}
