import type { Fragment, Query, Tx } from '../../../platform/db/db.ts'
import { isPostponed } from '../../../platform/jobs/due-items-job.ts'
import type { RecordingKey } from './recording.ts'

interface DueRecordings {
  /** Last change earlier than this. */
  before: Date
  /** Kind of the job that retries single recordings. Those are left out. */
  retriedBy: string
  limit: number
}

/**
 * Part of a statement: the rooms under a legal hold. It reads the holds, of which there are few; `offset 0` keeps the
 * planner from reading the other tables first.
 */
export function heldRooms(query: Query): Fragment {
  return query`
    (select h.room_id from legal_holds h where h.room_id is not null
     union all
     select p.room_id
       from legal_holds h
      cross join lateral (select held.room_id from participants held
                           where held.tenant_id = h.tenant_id
                             and held.external_type = h.external_type
                             and held.external_id = h.external_id
                          offset 0) p
     union all
     select t.room_id
       from legal_holds h
      cross join lateral (select held.room_id from connection_tests held
                           where held.tenant_id = h.tenant_id
                             and held.external_type = h.external_type
                             and held.external_id = h.external_id
                          offset 0) t)
  `
}

/** Part of a statement: true if no legal hold covers the recording and it was last changed before this moment. */
function isFree(query: Query, before: Date) {
  return query`(updated_at < ${before} and room_id not in ${heldRooms(query)})`
}

function isRetried(query: Query, kind: string) {
  return isPostponed(query, { kind, key: query`recordings.id::text` })
}

/** Available recordings, and failed ones with kept segments, each oldest first. */
export async function listToExpire(
  query: Query,
  { before, retriedBy, limit }: DueRecordings,
): Promise<RecordingKey[]> {
  const oldest = (which: Fragment) => query`
    (select id as "recordingId", tenant_id as "tenantId"
       from recordings
      where ${which} and ${isFree(query, before)} and not ${isRetried(query, retriedBy)}
      order by updated_at
      limit ${limit})
  `
  const isKept = query`exists (select 1 from recording_segments s where s.recording_id = recordings.id)`
  return query<RecordingKey[]>`
    ${oldest(query`status = 'available'`)}
    union all
    ${oldest(query`status = 'failed' and ${isKept}`)}
  `
}

/** True if a listed recording may still expire. A hold or another change may have come meanwhile. */
export async function mayExpire(tx: Tx, recordingId: string, before: Date): Promise<boolean> {
  const rows = await tx`
    select 1 from recordings where id = ${recordingId} and ${isFree(tx, before)}
  `
  return rows.length === 1
}
