import type { Tx } from '../db/db.ts'
import { nextRoomMoment } from '../rooms/room-clock.ts'

export interface NewRoomEvent {
  tenantId: string
  roomId: string
  /** Core vocabulary of the contract, for example `room.closed`, or a tenant's own word. */
  eventType: string
  payload: Record<string, string | number | boolean | null> | null
}

/** Writes a fact into the room's log, in the transaction that made it true. */
export async function appendRoomEvent(tx: Tx, event: NewRoomEvent): Promise<void> {
  const { seq, at } = await nextRoomMoment(tx, event.roomId)
  await tx`
    insert into room_events (tenant_id, room_id, seq, event_type, payload, created_at)
    values (${event.tenantId}, ${event.roomId}, ${seq}, ${event.eventType},
            ${event.payload === null ? null : tx.json(event.payload)}, ${at})
  `
}
