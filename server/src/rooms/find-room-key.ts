import type { Query } from '../db/db.ts'

export interface RoomKey {
  tenantId: string
  roomId: string
}

/** The key itself when this tenant has such a room: what a list below a room asks first. */
export async function findRoomKey(query: Query, key: RoomKey): Promise<RoomKey | undefined> {
  const rows = await query`
    select 1 from rooms
     where id = ${key.roomId} and tenant_id = ${key.tenantId} and media_room_sid is not null
  `
  return rows.length === 1 ? key : undefined
}
