import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import type { Query } from '../db/db.ts'

/** The newest recording of the room as everybody inside may know of it. */
export async function findShownRecording(query: Query, roomId: string): Promise<ShownRecording> {
  const [row] = await query<{ id: string; status: string; createdAt: Date }[]>`
    select id, status, created_at as "createdAt"
      from recordings
     where room_id = ${roomId}
     order by seq desc
     limit 1
  `
  if (row === undefined) return null
  const { id, status, createdAt } = row
  return {
    id,
    status: shownStatusOf(status),
    started_at: createdAt.toISOString(),
    recorded_sec: 0,
    running_since: null,
  }
}

/** What becomes of its file is nothing that those inside are told. */
function shownStatusOf(status: string): NonNullable<ShownRecording>['status'] {
  return status === 'started' || status === 'paused' || status === 'failed' ? status : 'stopped'
}
