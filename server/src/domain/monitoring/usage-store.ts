import type { Query } from '../../platform/db/db.ts'

export interface Period {
  tenantId: string
  from: Date
  to: Date
}

export interface Usage {
  roomsBooked: number
  entries: number
  participantSec: number
  recordings: number
  recordedSec: number
  transcriptions: number
  connectionTests: number
}

/** The tenant's usage in the period. */
export async function sumUsage(query: Query, { tenantId, from, to }: Period): Promise<Usage> {
  const [row] = await query<Usage[]>`
    select (select count(*)::int from rooms
             where tenant_id = ${tenantId} and created_at >= ${from} and created_at < ${to}
               and kind = 'interview' and media_room_sid is not null) as "roomsBooked",
           entered.began as "entries", entered.sec as "participantSec",
           recorded.count as "recordings", recorded.sec as "recordedSec",
           (select count(*)::int from transcriptions
             where tenant_id = ${tenantId} and created_at >= ${from} and created_at < ${to}
           ) as "transcriptions",
           (select count(*)::int from connection_tests
             where tenant_id = ${tenantId} and created_at >= ${from} and created_at < ${to}
           ) as "connectionTests"
      from (select count(*) filter (where entered_at >= ${from})::int as began,
                   coalesce(sum(extract(epoch from
                     least(coalesce(left_at, clock_timestamp()), ${to})
                     - greatest(entered_at, ${from}))), 0)::float8 as sec
              from entry_histories
             where tenant_id = ${tenantId} and entered_at < ${to}
               -- Nobody stays longer than a slot and its margins.
               and entered_at >= ${from}::timestamptz - interval '2 days'
               and coalesce(left_at, clock_timestamp()) > ${from}) entered,
           (select count(*)::int as count, coalesce(sum(duration_sec), 0)::float8 as sec
              from recordings
             where tenant_id = ${tenantId} and created_at >= ${from} and created_at < ${to}
               and status in ('uploaded', 'available', 'expired')) recorded
  `
  if (row === undefined) throw new Error('the database returned no sums')
  return row
}
