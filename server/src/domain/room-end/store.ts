import type { Query } from '../../platform/db/db.ts'

/** A room that the provider's lists must be compared with. */
export interface WatchedRoom {
  id: string
  tenantId: string
  isReleased: boolean
  /** End of the window; null for rooms without a slot. */
  closesAt: Date | null
}

/** Adds the facts that decide how closely the room is watched. */
export interface RoomOnWatch extends WatchedRoom {
  /** Somebody was admitted at some time. */
  hasVisitors: boolean
  /** True if the provider's count leaves out somebody who was admitted. */
  hasHiddenVisitors: boolean
  /** Somebody is inside, as far as the service knows. */
  hasOpenEntries: boolean
  /** Egresses that record now, as far as the service knows. */
  egressIds: string[]
}

/**
 * Rooms inside their window or within an hour after it, rooms of unfinished connection tests, and every room with somebody
 * inside. Some may be released by now. The cost depends on the active rooms only, not on past ones.
 */
export async function listWatchedRooms(query: Query, now: Date): Promise<string[]> {
  const rows = await query<{ roomId: string }[]>`
    select room_id as "roomId"
      from sessions
     where cancelled_at is null
       and tstzrange(starts_at, ends_at, '[]')
           && tstzrange(${now}::timestamptz - interval '1 hour',
                        ${now}::timestamptz + interval '30 minutes', '[]')
    union
    select room_id
      from connection_tests
     where status in ('pending', 'running')
    union
    select room_id
      from entry_histories
     where left_at is null
  `
  return rows.map(({ roomId }) => roomId)
}

/** The given rooms that are open or still have somebody inside. */
export async function readRoomsOnWatch(
  query: Query,
  roomIds: readonly string[],
): Promise<RoomOnWatch[]> {
  return query<RoomOnWatch[]>`
    select *
      from (select r.id, r.tenant_id as "tenantId",
                   (r.closed_at is not null or s.cancelled_at is not null) as "isReleased",
                   s.ends_at + interval '30 minutes' as "closesAt",
                   exists (select 1 from admissions a where a.room_id = r.id) as "hasVisitors",
                   exists (select 1 from admissions a
                            where a.room_id = r.id
                              and a.role in ('observer', 'platform_observer')
                   ) as "hasHiddenVisitors",
                   exists (select 1 from entry_histories e
                            where e.room_id = r.id and e.left_at is null) as "hasOpenEntries",
                   array(select g.egress_id from recording_segments g
                          where g.room_id = r.id and g.status = 'active' and g.egress_id is not null
                            and g.ends_asked_at is null) as "egressIds"
              from rooms r
              left join sessions s on s.room_id = r.id
             where r.id = any(${[...roomIds]}) and r.media_room_sid is not null) room
     where not "isReleased" or "hasOpenEntries"
  `
}

/** One watched room by its id. Returns undefined while it is only an intention. */
export async function findWatchedRoom(
  query: Query,
  roomId: string,
): Promise<WatchedRoom | undefined> {
  const [row] = await query<WatchedRoom[]>`
    select r.id, r.tenant_id as "tenantId",
           (r.closed_at is not null or s.cancelled_at is not null) as "isReleased",
           s.ends_at + interval '30 minutes' as "closesAt"
      from rooms r
      left join sessions s on s.room_id = r.id
     where r.id = ${roomId} and r.media_room_sid is not null
  `
  return row
}
