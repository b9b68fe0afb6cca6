import type { Query } from '../../../platform/db/db.ts'
import type { PlaceInRecording } from '../../people/marker.ts'

/** Where this moment is in the newest recording of the room; undefined when nothing was recorded then. */
export async function findPlaceInRecording(
  query: Query,
  { roomId, at }: { roomId: string; at: Date },
): Promise<PlaceInRecording | undefined> {
  const [row] = await query<PlaceInRecording[]>`
    with newest as (
      select id
        from recordings
       where room_id = ${roomId} and provider_archive_id is not null
       order by seq desc
       limit 1
    ), segments as (
      select s.recording_id, s.position, min(b.began_at) as started_at,
             min(b.began_at) + make_interval(secs =>
               max(coalesce(s.duration_sec,
                            extract(epoch from coalesce(s.stalled_at, s.ends_asked_at)
                                               - b.began_at),
                            extract(epoch from ${at}::timestamptz - b.began_at)))) as ended_at
        from recording_segments s
        join newest n on n.id = s.recording_id
        cross join lateral (select s.started_at - make_interval(
                                     secs => coalesce(s.clock_offset_ms, 0) / 1000) as began_at) b
       where s.started_at is not null
         and s.status not in ('failed', 'aborted')
       group by s.recording_id, s.position
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
