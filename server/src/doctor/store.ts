import type { Query } from '../platform/db/db.ts'

/** True if LiveKit has sent a notification of this media room. Those of an egress may be a recorder's own. */
export async function hasNotificationOf(query: Query, mediaRoom: string): Promise<boolean> {
  const rows = await query`
    select 1
      from provider_notifications
     where media_room = ${mediaRoom} and not starts_with(event, 'egress_')
     limit 1
  `
  return rows.length > 0
}

/** True if a notification of this egress has come. */
export async function hasEgressNotification(
  query: Query,
  { mediaRoom, egressId }: { mediaRoom: string; egressId: string },
): Promise<boolean> {
  const rows = await query`
    select 1
      from provider_notifications
     where media_room = ${mediaRoom}
       and starts_with(event, 'egress_')
       and position(${egressId} in body) > 0
     limit 1
  `
  return rows.length > 0
}

/** True if the database takes no writes: a standby, or a primary that was made one. */
export async function isReadOnly(query: Query): Promise<boolean> {
  const [row] = await query<{ isReadOnly: boolean }[]>`
    select current_setting('transaction_read_only') = 'on' as "isReadOnly"
  `
  return row?.isReadOnly ?? false
}
