import type { ArchiveMode, RecordingStatus } from '@interview-room/contract/vocabulary.ts'
import type { Query } from '../../platform/db/db.ts'
import type { PageRequest } from '../../platform/ports/paging.ts'
import type { Period } from './usage-store.ts'

export interface RoomOverviewRow {
  id: string
  archiveMode: ArchiveMode
  closedAt: Date | null
  createdAt: Date
  sessionId: string
  sessionName: string | null
  externalType: string
  externalId: string
  startsAt: Date
  endsAt: Date
  cancelledAt: Date | null
  peoplePresent: number
  entries: number
  recordingStatus: RecordingStatus | null
}

/**
 * Rooms whose slot starts in the period, by start.
 *
 * @param after start and id of a room, separated by a space.
 */
export async function listRoomsOfPeriod(
  query: Query,
  { tenantId, from, to, after, limit }: Period & PageRequest,
): Promise<RoomOverviewRow[]> {
  const [startsAt, id] = after?.split(' ') ?? []
  const behind =
    startsAt === undefined || id === undefined
      ? query``
      : query`and (s.starts_at, r.id) > (${startsAt}::timestamptz, ${id}::uuid)`
  return query<RoomOverviewRow[]>`
    with shown as (
      select r.id, r.archive_mode as "archiveMode", r.closed_at as "closedAt",
             r.created_at as "createdAt", s.id as "sessionId", s.name as "sessionName",
             s.external_type as "externalType", s.external_id as "externalId",
             s.starts_at as "startsAt", s.ends_at as "endsAt", s.cancelled_at as "cancelledAt"
        from sessions s
        join rooms r on r.id = s.room_id and r.media_room_sid is not null
       where s.tenant_id = ${tenantId} and s.starts_at >= ${from} and s.starts_at < ${to}
         ${behind}
       order by s.starts_at, r.id
       limit ${limit + 1}
    )
    select shown.*, entered.present as "peoplePresent", entered.count as "entries",
           (select c.status
              from recordings c
             where c.room_id = shown.id and c.provider_archive_id is not null
             order by c.seq desc
             limit 1) as "recordingStatus"
      from shown
     cross join lateral (
       select count(*)::int as count,
              (count(distinct media_identity) filter (where left_at is null))::int as present
         from entry_histories
        where room_id = shown.id
     ) entered
     order by "startsAt", id
  `
}
