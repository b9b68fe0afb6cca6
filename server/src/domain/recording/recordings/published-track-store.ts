import type { Query } from '../../../platform/db/db.ts'
import type { SegmentPerson } from './segment.ts'

export interface TrackChange {
  roomId: string
  trackSid: string
  /** The connection that publishes the track. */
  mediaSid: string
  isPublished: boolean
  at: Date
}

/** May be called in any order and any number of times. */
export async function noteTrack(
  query: Query,
  { roomId, trackSid, mediaSid, isPublished, at }: TrackChange,
): Promise<void> {
  await query`
    insert into published_tracks as t (room_id, track_sid, media_sid, published_at, unpublished_at)
    select ${roomId}::uuid, ${trackSid}::text, ${mediaSid}::text, ${at}::timestamptz,
           case when ${isPublished} then null else ${at}::timestamptz end
     where exists (select 1 from rooms where id = ${roomId})
    on conflict (room_id, track_sid) do update
       set published_at   = least(t.published_at, excluded.published_at),
           unpublished_at = coalesce(excluded.unpublished_at, t.unpublished_at)
  `
}

/** The stay of a moderator or panelist in the room, with a published track. */
export interface PublishedStay extends SegmentPerson {
  publishedAt: Date
  /** Null while the person publishes. */
  endedAt: Date | null
}

/** Each track of each entry in this period, in the order of the entries. */
export async function listPublishedStays(
  query: Query,
  { roomId, from, to }: { roomId: string; from: Date; to: Date },
): Promise<PublishedStay[]> {
  return query<PublishedStay[]>`
    select e.media_identity as "mediaIdentity", e.participant_id as "participantId", e.role,
           e.name as "displayName", greatest(e.entered_at, t.published_at) as "publishedAt",
           least(e.left_at, t.unpublished_at) as "endedAt"
      from entry_histories e
      join published_tracks t on t.room_id = e.room_id and t.media_sid = e.media_sid
     where e.room_id = ${roomId}
       and e.role in ('moderator', 'panelist')
       and e.entered_at < ${to}
       and coalesce(e.left_at, ${to}) > ${from}
     order by e.seq, t.published_at
  `
}
