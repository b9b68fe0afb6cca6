import type { PostedEventType } from '@interview-room/contract/live-moderation.ts'
import type { Fragment, Query } from '../../platform/db/db.ts'

/** Number of events of these types that this person posted in the minute before `until`, and the time of the first. */
export async function countPostedEvents(
  query: Query,
  {
    roomId,
    mediaIdentity,
    types,
  }: { roomId: string; mediaIdentity: string; types: readonly PostedEventType[] },
  until: Date,
): Promise<{ count: number; first: Date }> {
  const [row] = await query<{ count: number; first: Date | null }[]>`
    select count(*)::integer as count, min(created_at) as first
      from room_events
     where room_id = ${roomId}
       and event_type = any(${[...types]})
       and payload ->> 'identity' = ${mediaIdentity}
       -- A hand lowered by a moderator does not count for the person.
       and payload ->> 'by' is null
       and created_at > ${until}::timestamptz - interval '1 minute'
  `
  return { count: row?.count ?? 0, first: row?.first ?? until }
}

export interface PostedEventRow {
  type: PostedEventType
  participantId: string | null
  identity: string
  displayName: string
  /** The fields that the person added, if any. */
  payload: Record<string, unknown> | null
  createdAt: Date
}

interface PostedEventQuery {
  roomId: string
  types: readonly PostedEventType[]
  /** Media identity of the reader. Private events are returned only to their author. */
  reader: string
  limit: number
}

/** Newest first. */
export async function listPostedEventRows(
  query: Query,
  { roomId, types, reader, limit }: PostedEventQuery,
): Promise<PostedEventRow[]> {
  return query<PostedEventRow[]>`
    select ${columns(query)}
      from room_events
     where room_id = ${roomId}
       and event_type = any(${[...types]})
       and (payload ->> 'is_private' is null or payload ->> 'identity' = ${reader})
     order by seq desc
     limit ${limit}
  `
}

/** Markers of these participants, newest first. */
export async function listMarkerRows(
  query: Query,
  {
    roomId,
    participantIds,
    limit,
  }: { roomId: string; participantIds: readonly string[]; limit: number },
): Promise<PostedEventRow[]> {
  return query<PostedEventRow[]>`
    select ${columns(query)}
      from room_events
     where room_id = ${roomId}
       and event_type = 'marker'
       and payload ->> 'participant_id' = any(${[...participantIds]})
     order by seq desc
     limit ${limit}
  `
}

function columns(query: Query): Fragment {
  return query`
    event_type as type, payload ->> 'participant_id' as "participantId",
    coalesce(payload ->> 'identity', '') as identity,
    coalesce(payload ->> 'display_name', '') as "displayName",
    nullif(payload - array['participant_id', 'identity', 'display_name'], '{}') as payload,
    created_at as "createdAt"
  `
}
