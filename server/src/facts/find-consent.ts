import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { Consent } from '@interview-room/contract/live-entry.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { type Fragment, type Query } from '../db/db.ts'

const ASKED_ROLES: readonly Role[] = ROLES.filter((role) => CAPABILITIES[role].isAskedForConsent)

/** The last answer of a person in a room, as an expression: its event type, or null. */
function lastAnswer(query: Query, roomId: string, identity: Fragment) {
  return query`
    (select v.event_type
       from room_events v
      where v.room_id = ${roomId}
        and v.event_type in ('consent.given', 'consent.declined', 'consent.withdrawn')
        and v.payload ->> 'identity' = ${identity}
      order by v.seq desc
      limit 1)
  `
}

/** What this person answered last when asked for consent; null when not asked yet. */
export async function findConsent(
  query: Query,
  { roomId, mediaIdentity }: { roomId: string; mediaIdentity: string },
): Promise<Consent | null> {
  const [row] = await query<{ answer: string | null }[]>`
    select ${lastAnswer(query, roomId, query`${mediaIdentity}`)} as answer
  `
  const answer = row?.answer ?? null
  if (answer === null) return null
  return answer === 'consent.given' ? 'given' : 'declined'
}

/** Those inside who are to be asked, by their media identities. */
export interface MissingConsents {
  /** Have not given it: have not answered yet, or have refused. */
  missing: string[]
  /** Have declined it or taken it back. */
  refused: string[]
}

export async function findMissingConsents(query: Query, roomId: string): Promise<MissingConsents> {
  const rows = await query<{ identity: string; answer: string | null }[]>`
    select inside.identity, ${lastAnswer(query, roomId, query`inside.identity`)} as answer
      from (select distinct e.media_identity as identity
              from entry_histories e
             where e.room_id = ${roomId}
               and e.left_at is null
               and e.role = any(${[...ASKED_ROLES]})) inside
     order by inside.identity
  `
  const missing = rows.filter(({ answer }) => answer !== 'consent.given')
  return {
    missing: missing.map(({ identity }) => identity),
    refused: missing.filter(({ answer }) => answer !== null).map(({ identity }) => identity),
  }
}
