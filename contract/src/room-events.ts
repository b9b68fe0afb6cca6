import { type Static, Type } from 'typebox'
import { DateTime, nullable, PageQuery, text, Uuid } from './envelope.ts'

/** `event_type` is no closed list: a tenant's own words are kept as they are. */
export const RoomEventBody = Type.Object({
  id: Type.Integer(),
  room_id: Uuid,
  event_type: Type.String(),
  payload: nullable(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  ),
  created_at: DateTime,
})
export type RoomEventBody = Static<typeof RoomEventBody>

/** Query of `GET /rooms/{room_id}/room-events`; the filter is exact. */
export const RoomEventQuery = Type.Object(
  { event_type: Type.Optional(text(255)), ...PageQuery },
  { additionalProperties: false },
)
