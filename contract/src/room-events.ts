import { type Static, Type } from 'typebox'
import { DateTime, nullable, PageQuery, Uuid } from './envelope.ts'

/** `event_type` is no closed list: a tenant's own words are kept as they are. */
export const RoomEventBody = Type.Object({
  id: Type.Integer(),
  room_id: Uuid,
  event_type: Type.String(),
  payload: nullable(Type.Record(Type.String(), Type.Unknown())),
  created_at: DateTime,
})
export type RoomEventBody = Static<typeof RoomEventBody>

/** Query of `GET /rooms/{room_id}/room-events`; the filter is exact. */
export const RoomEventQuery = Type.Object(
  { event_type: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })), ...PageQuery },
  { additionalProperties: false },
)
