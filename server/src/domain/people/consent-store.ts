import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Fragment, Query } from '../../platform/db/db.ts'

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

/** The type of the last answer; null when there is none. */
export async function findLastAnswer(
  query: Query,
  { roomId, mediaIdentity }: { roomId: string; mediaIdentity: string },
): Promise<string | null> {
  const [row] = await query<{ answer: string | null }[]>`
    select ${lastAnswer(query, roomId, query`${mediaIdentity}`)} as answer
  `
  return row?.answer ?? null
}

interface ConsentQuery {
  roomId: string
  roles: readonly Role[]
  identities: readonly string[]
}

/** Of everybody of these roles who is inside, and of these identities. */
export async function listLastAnswers(
  query: Query,
  { roomId, roles, identities }: ConsentQuery,
): Promise<{ identity: string; answer: string | null }[]> {
  return query<{ identity: string; answer: string | null }[]>`
    select inside.identity, ${lastAnswer(query, roomId, query`inside.identity`)} as answer
      from (select e.media_identity as identity
              from entry_histories e
             where e.room_id = ${roomId}
               and e.left_at is null
               and e.role = any(${[...roles]})
             union
            select unnest(${[...identities]}::text[])) inside
     order by inside.identity
  `
}
