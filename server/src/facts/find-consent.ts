import type { Consent } from '@interview-room/contract/live-entry.ts'
import type { Query } from '../db/db.ts'

/** What this person answered last when asked for consent; null when not asked yet. */
export async function findConsent(
  query: Query,
  { roomId, mediaIdentity }: { roomId: string; mediaIdentity: string },
): Promise<Consent | null> {
  const [answer] = await query<{ isGiven: boolean }[]>`
    select event_type = 'consent.given' as "isGiven"
      from room_events
     where room_id = ${roomId}
       and event_type in ('consent.given', 'consent.declined')
       and payload ->> 'identity' = ${mediaIdentity}
     order by seq desc
     limit 1
  `
  if (answer === undefined) return null
  return answer.isGiven ? 'given' : 'declined'
}
