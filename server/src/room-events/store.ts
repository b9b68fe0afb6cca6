import { json, type Query, type Tx } from '../db/db.ts'
import type { PageRequest } from '../http/paging.ts'

/** What a payload may hold; a value of its own is text, a number, a flag or nothing. */
export type RoomEventPayload = Record<string, string | number | boolean | null>

export interface RoomEvent {
  id: bigint
  roomId: string
  seq: bigint
  eventType: string
  payload: RoomEventPayload | null
  createdAt: Date
}

export async function insertRoomEvent(
  tx: Tx,
  event: Omit<RoomEvent, 'id'> & { tenantId: string },
): Promise<void> {
  await tx`
    insert into room_events (tenant_id, room_id, seq, event_type, payload, created_at)
    values (${event.tenantId}, ${event.roomId}, ${event.seq}, ${event.eventType},
            ${json(event.payload)}, ${event.createdAt})
  `
}

export interface RoomEventList extends PageRequest {
  roomId: string
  eventType: string | undefined
}

/** In order of time; one more than the limit, to see whether there is more. */
export async function listRoomEvents(
  query: Query,
  { roomId, eventType, after, limit }: RoomEventList,
): Promise<RoomEvent[]> {
  return query<RoomEvent[]>`
    select id, room_id as "roomId", seq, event_type as "eventType", payload,
           created_at as "createdAt"
      from room_events
     where room_id = ${roomId}
       and seq > ${after ?? '0'}::bigint
       ${eventType === undefined ? query`` : query`and event_type = ${eventType}`}
     order by seq
     limit ${limit + 1}
  `
}
