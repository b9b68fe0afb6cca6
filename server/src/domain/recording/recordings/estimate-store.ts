import type { Query } from '../../../platform/db/db.ts'
import type { QueuedComposition } from './estimates.ts'
import { COMPOSE_RECORDING } from './recording-requests.ts'

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
