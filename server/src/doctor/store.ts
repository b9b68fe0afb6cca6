import type { Query } from '../platform/db/db.ts'

/** True if the provider has sent a notification of this media room. */
export async function hasNotificationOf(query: Query, mediaRoom: string): Promise<boolean> {
  const rows = await query`
    select 1 from provider_notifications where media_room = ${mediaRoom} limit 1
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
