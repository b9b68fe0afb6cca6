import type { Fragment, Query } from '../../../platform/db/db.ts'
import { EMPTY_MAX_MS } from './desired-recording.ts'

/** A recording that ended: expressions of the statement around, and the moment until which is looked. */
interface EndedRecording {
  roomId: Fragment
  endedAt: Fragment
  stopReason: Fragment
  now: Date
}

/**
 * Whether there was a moment between its end and now with nobody inside who is recorded; for one that broke off, as
 * long a time as would have ended it. What breaks a recording off often breaks everybody's connection, too.
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
