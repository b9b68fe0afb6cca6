import type { Fragment, Query } from '../../platform/db/db.ts'

/** Part of a statement: true if a moderator allows this person to share the screen. */
export function mayShareScreen(
  query: Query,
  { roomId, identity }: { roomId: string; identity: Fragment },
): Fragment {
  return query`
    coalesce((select v.event_type = 'screen.allowed'
                from room_events v
               where v.room_id = ${roomId}
                 and v.event_type in ('screen.allowed', 'screen.withdrawn')
                 and v.payload ->> 'identity' = ${identity}
               order by v.seq desc
               limit 1), false)
  `
}
