import type { RoomEventBody } from '@interview-room/contract/room-events.ts'
import { toSafeInteger } from '../../platform/db/db.ts'
import type { RoomEvent } from './room-event-store.ts'

export function presentRoomEvent(event: RoomEvent): RoomEventBody {
  return {
    id: toSafeInteger(event.id),
    room_id: event.roomId,
    event_type: event.eventType,
    payload: event.payload,
    created_at: event.createdAt.toISOString(),
  }
}
