import type { RecordingStatus } from '@interview-room/contract/vocabulary.ts'
import type { Query } from '../../../platform/db/db.ts'

export interface NewestRecording {
  id: string
  status: RecordingStatus
  /** In segments that ended and were not lost, in seconds. */
  recordedSec: number
  /** Of the segment that is being written. */
  runningSince: Date | null
  /** It is paused because its recorder failed, and continues automatically. */
  isInterrupted: boolean
  /** How far its file was composed when that was last noted. */
  composedPercent: number | null
  startedAt: Date
}

/** The newest recording of the room. */
export async function findNewest(
  query: Query,
  roomId: string,
): Promise<NewestRecording | undefined> {
  const [row] = await query<NewestRecording[]>`
    with newest as (
      select id, status, created_at, duration_sec, composed_percent, interrupted_at
        from recordings
       where room_id = ${roomId} and provider_archive_id is not null
       order by seq desc
       limit 1
    ), segments as (
      select s.position, min(b.began_at) as started_at,
             -- What the provider calls its end is when the file was written.
             max(coalesce(s.duration_sec,
                          extract(epoch from coalesce(s.stalled_at, s.ends_asked_at, s.status_at)
                                             - b.began_at))) as sec,
             bool_or(s.status = 'active' and s.ends_asked_at is null) as "isRunning"
        from recording_segments s
        join newest n on n.id = s.recording_id
        cross join lateral (select s.started_at - make_interval(
                                     secs => coalesce(s.clock_offset_ms, 0) / 1000) as began_at) b
       where s.started_at is not null
         and s.status not in ('failed', 'aborted')
       group by s.position
    )
    select n.id, n.status, n.created_at as "startedAt", n.composed_percent as "composedPercent",
           n.status = 'paused' and n.interrupted_at is not null as "isInterrupted",
           -- The segments are gone when the file is there.
           coalesce(n.duration_sec,
                    (select sum(p.sec)
                       from segments p
                      where not p."isRunning"), 0)::double precision as "recordedSec",
           (select max(p.started_at) from segments p where p."isRunning") as "runningSince"
      from newest n
  `
  return row
}
