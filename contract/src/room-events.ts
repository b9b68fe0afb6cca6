import { type Static, Type } from 'typebox'
import {
  dateTime,
  LongInteger,
  named,
  nullable,
  PageQuery,
  string,
  text,
  uuid,
} from './envelope.ts'
import { about } from './schema.ts'

/** `event_type` is an open list: a tenant's own words are stored unchanged. */
export const RoomEventBody = named(
  'RoomEvent',
  Type.Object(
    {
      id: about(LongInteger, 'Id of the event.'),
      room_id: uuid('Id of the room.'),
      event_type: string('What happened, such as `room.closed`. New types may be added.'),
      payload: nullable(
        Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
        'Data of the event; its members depend on `event_type`. Null when there are none.',
      ),
      created_at: dateTime('When it happened.'),
    },
    { description: 'One entry in the log of a room.' },
  ),
)
export type RoomEventBody = Static<typeof RoomEventBody>

/** Query of `GET /rooms/{room_id}/room-events`. The filter matches exactly. */
export const RoomEventQuery = Type.Object(
  {
    event_type: Type.Optional(about(text(255), 'Only events of exactly this type.')),
    ...PageQuery,
  },
  { additionalProperties: false },
)
