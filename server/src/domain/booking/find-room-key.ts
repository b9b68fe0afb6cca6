import type { Query } from '../../platform/db/db.ts'
import type { RoomKey } from '../room-log/room-lock.ts'
import { isRoom } from './room-store.ts'

/** The key itself when this tenant has such a room: what a list below a room asks first. */
export async function findRoomKey(query: Query, key: RoomKey): Promise<RoomKey | undefined> {
  return (await isRoom(query, key)) ? key : undefined
}
