import type { Query, Tx } from '../../platform/db/db.ts'
import type { NotificationEnvelope } from './notification.ts'

/** Stores a notification unless the inbox already has it. */
export async function insertNotification(
  tx: Tx,
  { id, event, mediaRoom, body }: NotificationEnvelope & { body: string },
): Promise<void> {
  await tx`
    insert into provider_notifications (id, event, media_room, body)
    values (${id}, ${event}, ${mediaRoom}, ${body})
    on conflict (id) do nothing
  `
}

export interface StoredNotification {
  id: string
  body: string
  receivedAt: Date
}

/** In order of receipt. */
export async function listUnapplied(
  query: Query,
  { mediaRoom, limit }: { mediaRoom: string; limit: number },
): Promise<StoredNotification[]> {
  return query<StoredNotification[]>`
    select id, body, received_at as "receivedAt"
      from provider_notifications
     where media_room = ${mediaRoom} and applied_at is null
     order by received_at, id
     limit ${limit}
  `
}

export async function markApplied(query: Query, id: string): Promise<void> {
  await query`
    update provider_notifications set applied_at = clock_timestamp() where id = ${id}
  `
}

export async function deleteOldNotifications(
  query: Query,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { count } = await query`
    delete from provider_notifications
     where id = any(array(
             select id from provider_notifications
              where received_at < ${before}
                and (applied_at is not null or media_room is null)
              order by received_at
              limit ${limit}))
  `
  return count
}

/** A notification that was not taken. */
export interface Refusal {
  /** `path`: it came to another address. */
  reason: 'signature' | 'time' | 'path'
  /** At which it came, without a query; 200 characters at most. */
  path: string
}

/** Stores it in place of the one before with the same reason. */
export async function insertRefusal(query: Query, { reason, path }: Refusal): Promise<void> {
  await query`
    insert into refused_notifications (reason, path)
    values (${reason}, ${path})
    on conflict (reason) do update set refused_at = clock_timestamp(), path = excluded.path
  `
}

/** Returns null without such a room. */
export async function isRoomReleased(query: Query, roomId: string): Promise<boolean | null> {
  const [row] = await query<{ isReleased: boolean }[]>`
    select (r.closed_at is not null or s.cancelled_at is not null) as "isReleased"
      from rooms r
      left join sessions s on s.room_id = r.id
     where r.id = ${roomId} and r.media_room_sid is not null
  `
  return row?.isReleased ?? null
}
