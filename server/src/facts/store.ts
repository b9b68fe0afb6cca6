import { FACT_TYPES } from '@interview-room/contract/live-moderation.ts'
import type { Query } from '../db/db.ts'

/** How many facts this person sent in the minute that ends at `until`, and when the first of them. */
export async function countFacts(
  query: Query,
  { roomId, mediaIdentity }: { roomId: string; mediaIdentity: string },
  until: Date,
): Promise<{ count: number; first: Date }> {
  const [row] = await query<{ count: number; first: Date | null }[]>`
    select count(*)::integer as count, min(created_at) as first
      from room_events
     where room_id = ${roomId}
       and event_type = any(${[...FACT_TYPES]})
       and payload ->> 'identity' = ${mediaIdentity}
       and created_at > ${until}::timestamptz - interval '1 minute'
  `
  return { count: row?.count ?? 0, first: row?.first ?? until }
}
