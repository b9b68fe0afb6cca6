import { type Static, Type } from 'typebox'
import { about, dateTime, named, oneOf, string } from './envelope.ts'
import { STREAM_EVENTS, type StreamEventName } from './live-stream.ts'

const StreamEventNameWord = named(
  'StreamEventName',
  about(
    oneOf(Object.keys(STREAM_EVENTS) as StreamEventName[]),
    'Name of an event of the live stream.',
  ),
)

/** 200 answer of `GET /rooms/{room_id}/live/changes`. */
export const RoomChanges = named(
  'RoomChanges',
  Type.Object(
    {
      events: Type.Array(
        named(
          'RoomChange',
          Type.Object(
            {
              name: StreamEventNameWord,
              data: Type.Unsafe<unknown>({
                type: 'object',
                description:
                  'The data of the event of this name in `GET /rooms/{room_id}/live/stream`.',
              }),
            },
            { description: 'An event of the room.' },
          ),
        ),
        {
          description:
            'The events in their order; a snapshot alone when there is nothing to continue.',
        },
      ),
      now: dateTime('The time of the service.'),
      cursor: string('Send it as `after` to get what happens next.'),
    },
    { description: 'What happened in a room.' },
  ),
)
export type RoomChanges = Static<typeof RoomChanges>
