import type { Tx } from '../db/db.ts'
import { nextRoomMoment, type RoomMoment } from '../rooms/room-clock.ts'
import type { HeldRoomKey } from '../rooms/room-lock.ts'
import { insertRoomEvent, type RoomEventPayload } from './store.ts'

/** In a room whose lock is held. */
export interface NewRoomEvent extends HeldRoomKey {
  /** Core vocabulary of the contract, for example `room.closed`, or a tenant's own word. */
  eventType: string
  payload: RoomEventPayload | null
}

/** Writes a fact into the room's log, in the transaction that made it true; answers when that was. */
export async function appendRoomEvent(tx: Tx, event: NewRoomEvent): Promise<RoomMoment> {
  const moment = await nextRoomMoment(tx, event)
  await insertRoomEvent(tx, { ...event, seq: moment.seq, createdAt: moment.at })
  return moment
}
