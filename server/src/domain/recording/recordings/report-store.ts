import { json, type Query, type Tx } from '../../../platform/db/db.ts'
import type { Completeness } from './completeness.ts'
import type { SegmentPerson } from './segment.ts'
import type { RecordedSpan, Span } from './spans.ts'

/** The facts about a recording that outlive its segments. */
export interface RecordingReport extends Completeness {
  /** The recorded times, in order. */
  segments: readonly RecordedSpan[]
}

/** Returns false when it was stored before. */
export async function insertReport(
  tx: Tx,
  recordingId: string,
  { isComplete, missingSec, people, segments, at }: RecordingReport & { at: Date },
): Promise<boolean> {
  const { count } = await tx`
    insert into recording_reports (recording_id, is_complete, missing_sec, people, segments, made_at)
    values (${recordingId}, ${isComplete}, ${missingSec}, ${json(people)}::jsonb,
            ${json(segments)}::jsonb, ${at})
    on conflict do nothing
  `
  return count === 1
}

export async function findReport(
  query: Query,
  recordingId: string,
): Promise<RecordingReport | undefined> {
  const [row] = await query<RecordingReport[]>`
    select is_complete as "isComplete", missing_sec as "missingSec", people, segments
      from recording_reports
     where recording_id = ${recordingId}
  `
  return row
}

/** Records that the recording is wanted from now on. Does nothing if it already is. */
export async function beginInterval(tx: Tx, recordingId: string, at: Date): Promise<void> {
  await tx`
    insert into recording_intervals (recording_id, began_at)
    values (${recordingId}, ${at})
    on conflict do nothing
  `
}

/** Records that the recording is no longer wanted. */
export async function endInterval(tx: Tx, recordingId: string, at: Date): Promise<void> {
  await tx`
    update recording_intervals
       set ended_at = greatest(began_at, ${at})
     where recording_id = ${recordingId} and ended_at is null
  `
}

/**
 * The times when the recording was wanted, in order, until `now` if it still is. Empty for recordings of an earlier
 * version.
 */
export async function listIntervals(query: Query, recordingId: string, now: Date): Promise<Span[]> {
  const rows = await query<{ beganAt: Date; endedAt: Date | null }[]>`
    select began_at as "beganAt", ended_at as "endedAt"
      from recording_intervals
     where recording_id = ${recordingId}
     order by began_at
  `
  return rows.map(({ beganAt, endedAt }) => ({
    fromMs: beganAt.getTime(),
    toMs: (endedAt ?? now).getTime(),
  }))
}

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
