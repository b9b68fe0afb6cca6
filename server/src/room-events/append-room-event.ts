import type { Tx } from '../db/db.ts'
import { nextRoomMoment, type RoomMoment } from '../rooms/room-clock.ts'
import { insertRoomEvent, type RoomEventPayload } from './store.ts'

export interface NewRoomEvent {
  tenantId: string
  roomId: string
  /** Core vocabulary of the contract, for example `room.closed`, or a tenant's own word. */
  eventType: string
  payload: RoomEventPayload | null
}

/** Writes a fact into the room's log, in the transaction that made it true; answers when that was. */
export async function appendRoomEvent(tx: Tx, event: NewRoomEvent): Promise<RoomMoment> {
  const moment = await nextRoomMoment(tx, event.roomId)
  await insertRoomEvent(tx, { ...event, seq: moment.seq, createdAt: moment.at })
  return moment
}
