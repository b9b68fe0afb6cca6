import type { RecordingStatus } from '@interview-room/contract/vocabulary.ts'
import type { Fragment, Query } from '../../../platform/db/db.ts'
import type { PlaceInRecording } from '../../people/marker.ts'

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
