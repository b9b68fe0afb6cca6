import type { Query } from '../db/db.ts'

/** Whether who enters this room is recorded: always, or because a recording is running now. */
export async function isRecorded(query: Query, roomId: string): Promise<boolean> {
  const rows = await query`
    select 1
      from rooms r
     where r.id = ${roomId}
       and (r.archive_mode = 'always'
            or exists (select 1 from recordings a
                        where a.room_id = r.id and a.status in ('started', 'paused')))
  `
  return rows.length === 1
}
