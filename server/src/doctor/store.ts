import type { Query } from '../platform/db/db.ts'

/** Whether the provider has sent a notification of this media room. */
export async function hasNotificationOf(query: Query, mediaRoom: string): Promise<boolean> {
  const rows = await query`
    select 1 from provider_notifications where media_room = ${mediaRoom} limit 1
  `
  return rows.length > 0
}
