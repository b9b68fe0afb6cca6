import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Fragment, Query } from '../../platform/db/db.ts'
import type { PersonInRoom } from './find-person.ts'

/** Part of a statement: true if this person's hand is raised. */
export function hasHandRaised(
  query: Query,
  { roomId, identity }: { roomId: string; identity: Fragment },
): Fragment {
  return query`
    coalesce((select v.event_type = 'hand.raised'
                from room_events v
               where v.room_id = ${roomId}
                 and v.event_type in ('hand.raised', 'hand.lowered')
                 and v.payload ->> 'identity' = ${identity}
               order by v.seq desc
               limit 1), false)
  `
}

/** A person with an open entry. */
export interface PresentPerson extends PersonInRoom {
  identity: string
  hasHandRaised: boolean
}

/** One row per person, in order of arrival. */
export async function listPresentPeople(
  query: Query,
  roomId: string,
  roles: readonly Role[],
): Promise<PresentPerson[]> {
  return query<PresentPerson[]>`
    select e.participant_id as "participantId", e.media_identity as identity, e.role,
           max(e.name) as "displayName",
           ${hasHandRaised(query, { roomId, identity: query`e.media_identity` })} as "hasHandRaised"
      from entry_histories e
     where e.room_id = ${roomId}
       and e.left_at is null
       and e.role = any(${[...roles]})
     group by e.participant_id, e.media_identity, e.role
     order by min(e.seq)
  `
}

/** True if this person's hand is raised, whether they are present or not. */
export async function isHandRaised(
  query: Query,
  { roomId, identity }: { roomId: string; identity: string },
): Promise<boolean> {
  const [row] = await query<{ isRaised: boolean }[]>`
    select ${hasHandRaised(query, { roomId, identity: query`${identity}::text` })} as "isRaised"
  `
  return row?.isRaised === true
}

/** The person in the spotlight, by the last such event of the room's log. */
export async function findSpotlightIdentity(query: Query, roomId: string): Promise<string | null> {
  const [row] = await query<{ identity: string | null }[]>`
    select payload ->> 'identity' as identity
      from room_events
     where room_id = ${roomId}
       and event_type in ('spotlight.started', 'spotlight.ended')
     order by seq desc
     limit 1
  `
  return row?.identity ?? null
}

/** A spotlight with its start and end; null while it lasts. */
export interface PastSpotlight {
  identity: string
  from: Date
  to: Date | null
}

/** Every spotlight so far, in order. */
export async function listSpotlights(query: Query, roomId: string): Promise<PastSpotlight[]> {
  return query<PastSpotlight[]>`
    select identity, "from", "to"
      from (select payload ->> 'identity' as identity, created_at as "from",
                   lead(created_at) over (order by seq) as "to"
              from room_events
             where room_id = ${roomId}
               and event_type in ('spotlight.started', 'spotlight.ended')) changes
     where identity is not null
     order by "from"
  `
}

/** Media identities of everybody whom a moderator currently allows to share the screen. */
export async function listScreenSharers(query: Query, roomId: string): Promise<Set<string>> {
  const rows = await query<{ identity: string; isAllowed: boolean }[]>`
    select distinct on (payload ->> 'identity') payload ->> 'identity' as identity,
           event_type = 'screen.allowed' as "isAllowed"
      from room_events
     where room_id = ${roomId}
       and event_type in ('screen.allowed', 'screen.withdrawn')
     order by payload ->> 'identity', seq desc
  `
  return new Set(rows.filter(({ isAllowed }) => isAllowed).map(({ identity }) => identity))
}

/** True if a moderator has ever allowed or withdrawn screen sharing in this room. */
export async function hasScreenDecision(query: Query, roomId: string): Promise<boolean> {
  const rows = await query`
    select 1
      from room_events
     where room_id = ${roomId}
       and event_type in ('screen.allowed', 'screen.withdrawn')
     limit 1
  `
  return rows.length > 0
}

/** A person's first rating, by their media identity. Returns undefined without one. */
export async function findRating(
  query: Query,
  { roomId, mediaIdentity }: { roomId: string; mediaIdentity: string },
): Promise<{ score: number; comment: string | null } | undefined> {
  const [row] = await query<{ score: number; comment: string | null }[]>`
    select (payload ->> 'score')::integer as score, payload ->> 'comment' as comment
      from room_events
     where room_id = ${roomId}
       and event_type = 'interview.rated'
       and payload ->> 'identity' = ${mediaIdentity}
     order by seq
     limit 1
  `
  return row
}
