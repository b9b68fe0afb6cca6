import type { RecordingStatus } from '@interview-room/contract/vocabulary.ts'
import type { Fragment, Query } from '../../../platform/db/db.ts'
import type { PlaceInRecording } from '../../people/marker.ts'
import type { QueuedComposition } from './estimates.ts'
import { COMPOSE_RECORDING } from './recording-requests.ts'
import { EMPTY_MAX_MS } from './recording.ts'

export interface NewestRecording {
  id: string
  status: RecordingStatus
  /** Seconds in segments that ended and were not lost. */
  recordedSec: number
  /** Start of the segment that is being written. */
  runningSince: Date | null
  /** The recording is paused because its recorder failed, and continues automatically. */
  isInterrupted: boolean
  /** Progress of its composition, when last stored. */
  composedPercent: number | null
  /** Total time during which anybody is missing in its file; null without gaps, or while unknown. */
  missingSec: number | null
  startedAt: Date
}

/** Beginning of a statement: `newest`, the room's newest recording, and `written`, its segments with content. */
function withNewest(query: Query, roomId: string): Fragment {
  return query`
    with newest as (
      select *
        from recordings
       where room_id = ${roomId} and provider_archive_id is not null
       order by seq desc
       limit 1
    ), written as (
      select s.*
        from recording_segments s
        join newest n on n.id = s.recording_id
       where s.started_at is not null
         and s.status not in ('failed', 'aborted')
    )
  `
}

/** The newest recording of the room. */
export async function findNewest(
  query: Query,
  roomId: string,
): Promise<NewestRecording | undefined> {
  const [row] = await query<NewestRecording[]>`
    ${withNewest(query, roomId)}, segments as (
      select w.position, min(w.started_at) as started_at,
             -- The provider reports as its end the time when the file was written.
             max(coalesce(w.duration_sec,
                          extract(epoch from coalesce(w.stalled_at, w.ends_asked_at, w.status_at)
                                             - w.started_at))) as sec,
             bool_or(w.status = 'active' and w.ends_asked_at is null) as "isRunning"
        from written w
       group by w.position
    )
    select n.id, n.status, n.created_at as "startedAt", n.composed_percent as "composedPercent",
           n.status = 'paused' and n.interrupted_at is not null as "isInterrupted",
           (select nullif(r.missing_sec, 0)
              from recording_reports r
             where r.recording_id = n.id and n.status = 'available') as "missingSec",
           -- The segments are deleted once the file exists.
           coalesce(n.duration_sec,
                    (select sum(p.sec)
                       from segments p
                      where not p."isRunning"), 0)::double precision as "recordedSec",
           (select max(p.started_at) from segments p where p."isRunning") as "runningSince"
      from newest n
  `
  return row
}

/** The position of this moment in the room's newest recording. Returns undefined if nothing was recorded then. */
export async function findPlaceInRecording(
  query: Query,
  { roomId, at }: { roomId: string; at: Date },
): Promise<PlaceInRecording | undefined> {
  const [row] = await query<PlaceInRecording[]>`
    ${withNewest(query, roomId)}, segments as (
      select w.recording_id, w.position, min(w.started_at) as started_at,
             min(w.started_at) + make_interval(secs =>
               max(coalesce(w.duration_sec,
                            extract(epoch from coalesce(w.stalled_at, w.ends_asked_at)
                                               - w.started_at),
                            extract(epoch from ${at}::timestamptz - w.started_at)))) as ended_at
        from written w
       group by w.recording_id, w.position
    )
    select here.recording_id as "recordingId",
           round((extract(epoch from ${at}::timestamptz - here.started_at)
                  + coalesce((select sum(extract(epoch from before.ended_at - before.started_at))
                                from segments before
                               where before.position < here.position), 0))::numeric, 3)
             ::double precision as "offsetSec"
      from segments here
     where ${at} between here.started_at and here.ended_at
  `
  return row
}

/** A recording that ended, as SQL expressions of the surrounding statement, and the present time. */
interface EndedRecording {
  roomId: Fragment
  endedAt: Fragment
  stopReason: Fragment
  now: Date
}

/**
 * True if the room was without moderators and panelists at any moment since the recording ended. After a recording that
 * broke off they must have been away for `EMPTY_MAX_MS`, because the cause often interrupts everybody's connection, too.
 */
export function everybodyLeft(
  query: Query,
  { roomId, endedAt, stopReason, now }: EndedRecording,
): Fragment {
  const absence = query`
    case when ${stopReason} = 'provider'
         then interval '1 millisecond' * ${EMPTY_MAX_MS}::integer
         else interval '0'
     end`
  return query`
    exists (select 1
              from entry_histories e
             where e.room_id = ${roomId} and e.role in ('moderator', 'panelist')
               and e.left_at >= ${endedAt}
               and e.left_at + ${absence} <= ${now}
               and not exists (select 1
                                 from entry_histories o
                                where o.room_id = ${roomId}
                                  and o.role in ('moderator', 'panelist')
                                  and (o.entered_at <= e.left_at
                                       or o.entered_at < e.left_at + ${absence})
                                  and (o.left_at is null or o.left_at > e.left_at)))`
}

/** Running and waiting compositions in the order of their queue. */
export async function listQueuedCompositions(query: Query): Promise<QueuedComposition[]> {
  return query<QueuedComposition[]>`
    select c.id as "recordingId", c.composing_since as "composingSince",
           c.composed_percent as "composedPercent", c.composed_at as "composedAt",
           c.composing_since is not null as "isComposing",
           coalesce((select sum(s.duration_sec)
                       from recording_segments s
                      where s.recording_id = c.id and s.status = 'complete'), 0)::double precision
             as "lengthSec"
      from jobs j
      join recordings c on c.id::text = j.key
     where j.kind = ${COMPOSE_RECORDING}
       and j.state = 'due'
       and c.status = 'stopped'
     order by j.due_at, j.id
  `
}

/** Seconds that the newest compositions took per recorded second; null before the first. */
export async function findComposingPace(query: Query): Promise<number | null> {
  const [row] = await query<{ secPerSec: number | null }[]>`
    with newest as (
      select extract(epoch from composed_at - composing_since) as took,
             duration_sec * composed_percent / 100 as composed
        from recordings
       where composed_at is not null
         and composed_percent >= 50
         and duration_sec > 0
       order by composed_at desc
       limit 20
    )
    select (sum(took) / nullif(sum(composed), 0))::double precision as "secPerSec" from newest
  `
  return row?.secPerSec ?? null
}
