import type { Deps } from '../deps.ts'
import type { Room } from './room.ts'

export interface RoomClose {
  tenantId: string
  roomId: string
  reason: string | null
}

/** Closes the room for good; a repeat changes nothing. Throws 404 NOT_FOUND. */
export async function closeRoom(
  _deps: Pick<Deps, 'db' | 'media' | 'clock' | 'log'>,
  _close: RoomClose,
): Promise<Room> {
  throw new Error('not written yet')
}
