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

/** The room events that the service writes. */
export const ROOM_EVENT_TYPES = [
  'room.closed',
  'session.window_ended',
  'participant.banned',
  'participant.removed',
  'participant.muted',
  'chat.purged',
  'spotlight.started',
  'spotlight.ended',
  'screen.allowed',
  'screen.withdrawn',
  'screen.started',
  'screen.ended',
  'handout.show',
  'handout.hide',
  'handout.playback',
  'handout.added',
  'recording.started',
  'recording.paused',
  'recording.resumed',
  'recording.stopped',
  'recording.failed',
  'recording.limit_reached',
  'recording.incomplete',
  'consent.given',
  'consent.declined',
  'consent.withdrawn',
  'consent.obtained',
  'question.added',
  'question.changed',
  'interview.rated',
  'hand.raised',
  'hand.lowered',
  'help.requested',
  'help.answered',
  'marker',
] as const
export type RoomEventType = (typeof ROOM_EVENT_TYPES)[number]

/** The items that a timeline has besides the room events: entries, and chat. */
const TIMELINE_TYPES = ['participant.entered', 'participant.left', 'chat.message'] as const
export type TimelineType = RoomEventType | (typeof TIMELINE_TYPES)[number]

/**
 * The room events that a viewer who may only `watch` reads, and the members of their `payload`: what was seen and heard, and
 * nothing of the back room; of the chat, the public part. The tenant's key, and viewers who may `staff`, read everything. What is not listed here stays
 * closed to the others. So does every event whose payload has `is_private`.
 */
export const WATCHED_FIELDS = {
  'room.closed': [],
  'session.window_ended': [],
  'screen.started': ['participant_id', 'display_name'],
  'screen.ended': ['participant_id', 'display_name'],
  'handout.show': ['handout_id', 'title'],
  'handout.hide': ['handout_id'],
  'handout.playback': ['handout_id', 'position_sec', 'is_playing'],
  'recording.started': ['recording_id'],
  'recording.paused': ['recording_id'],
  'recording.resumed': ['recording_id'],
  'recording.stopped': ['recording_id'],
  'recording.failed': ['recording_id'],
  'recording.limit_reached': ['recording_id'],
  'recording.incomplete': ['recording_id', 'missing_sec'],
  marker: ['note', 'marked_at', 'recording_id', 'offset_sec'],
  'chat.message': ['message_id', 'visibility', 'sender_name', 'content_type', 'text', 'file_name'],
} as const satisfies Partial<Record<TimelineType, readonly string[]>>

/** `event_type` is an open list: clients must expect types that they do not know. */
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
