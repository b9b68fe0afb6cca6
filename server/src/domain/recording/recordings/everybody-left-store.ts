import type { Fragment, Query } from '../../../platform/db/db.ts'
import { EMPTY_MAX_MS } from './recording.ts'

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
