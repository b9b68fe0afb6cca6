import { type Static, Type } from 'typebox'
import { LastConnectionTest } from './connection-tests.ts'
import { ArchiveMode, RecordingStatus, Role, SessionStatus } from './enums.ts'
import {
  about,
  boolean,
  DateTime,
  dateTime,
  named,
  nullable,
  string,
  Uuid,
  uuid,
} from './envelope.ts'
import { ComposedPercent } from './recordings.ts'
import { INSPECTOR } from './rooms.ts'
import { wordsOf } from './schema.ts'

/** How long a board token is valid; in hours. */
export const BOARD_LINK_HOURS = { min: 1, fallback: 12, max: 24 } as const
/** The board shows rooms that can be entered now or within this time; in seconds. */
export const BOARD_AHEAD_SEC = 3 * 60 * 60
/** The board shows at most this many rooms: the ones with an alarm, then the ones that start first. */
export const BOARD_ROOMS_MAX = 1000
/** A link into a room is valid for this long, and never longer than the board token; in seconds. */
export const BOARD_ENTRY_TOKEN_LIFE_SEC = 2 * 60 * 60

/** Connection quality as the person's own page measures it. */
export const CONNECTION_QUALITIES = ['good', 'fair', 'poor', 'lost'] as const
export type ConnectionQuality = (typeof CONNECTION_QUALITIES)[number]
/** Shortest time between two reports of a page; in seconds. */
export const QUALITY_REPORT_EVERY_SEC = 5

export const ConnectionQuality = wordsOf('ConnectionQuality', CONNECTION_QUALITIES, {
  about: 'Quality of a connection, as the page of that person measures it.',
  good: 'No problem.',
  fair: 'Slightly weak.',
  poor: 'Weak: audio or video suffers.',
  lost: 'Interrupted.',
})

/** Body of `POST .../live/line`. */
export const ConnectionQualityReport = named(
  'ConnectionQualityReport',
  Type.Object(
    {
      quality: ConnectionQuality,
      is_microphone_silent: Type.Optional(
        about(
          Type.Boolean(),
          'Whether the microphone is on and has sent nothing but digital silence for some seconds: it is switched off at the device or in the system.',
          { default: false },
        ),
      ),
    },
    { additionalProperties: false, description: 'How good connection and sound are now.' },
  ),
)

/** The reasons for an operator to look at a room, the most urgent first. */
export const ALARM_CODES = [
  'HELP_REQUESTED',
  'RECORDING_NOT_ACTIVE',
  'MEDIA_NOT_RECORDED',
  'POOR_LINE',
  'RESPONDENT_MISSING',
  'MODERATOR_MISSING',
] as const
export type AlarmCode = (typeof ALARM_CODES)[number]

const AlarmCode = wordsOf('BoardAlarmCode', ALARM_CODES, {
  about: 'Why a room needs an operator.',
  HELP_REQUESTED: 'Someone requested help, and no one has answered.',
  RECORDING_NOT_ACTIVE: 'The room should be recorded and is not.',
  MEDIA_NOT_RECORDED:
    'A camera, microphone or screen that is switched on does not arrive in the running recording.',
  POOR_LINE: 'A connection has been weak or lost for more than 30 seconds.',
  RESPONDENT_MISSING: 'No panelist is present five minutes after the start.',
  MODERATOR_MISSING: 'No moderator is present although the slot has started.',
})

export const BoardAlarm = named(
  'BoardAlarm',
  Type.Object(
    {
      code: AlarmCode,
      since: dateTime('Since when the situation exists. The alarm may be raised later.'),
      display_name: nullable(Type.String(), 'Who it is about. Null when it is about the room.'),
    },
    { description: 'A reason to look after a room.' },
  ),
)
export type BoardAlarm = Static<typeof BoardAlarm>

/** A person who is present. */
export const BoardPerson = named(
  'BoardPerson',
  Type.Object(
    {
      identity: string('Identity at the media provider. Unique in the room.'),
      participant_id: nullable(Uuid, 'Id of the participant. Null on the simple route.'),
      role: Role,
      display_name: string('Name of the person.'),
      in_since: dateTime('When the person entered.'),
      line: nullable(
        ConnectionQuality,
        'Quality of the connection. Null until the page has reported it.',
      ),
      last_test: nullable(
        LastConnectionTest,
        'Newest connection test of the person. Null when there is none.',
      ),
    },
    { description: 'A person who is in the room now.' },
  ),
)
export type BoardPerson = Static<typeof BoardPerson>

/** A request for help that no one has answered. */
const HelpRequest = named(
  'BoardHelpRequest',
  Type.Object(
    {
      display_name: string('Who requested help.'),
      note: nullable(Type.String(), 'What the person wrote. Null without a note.'),
      requested_at: dateTime('When help was requested.'),
    },
    { description: 'A request for help that no one has answered.' },
  ),
)

const BoardSession = named(
  'BoardSession',
  Type.Object(
    {
      name: nullable(Type.String(), 'Name of the session. Null when unset.'),
      external_type: string('Kind of the record of the tenant.'),
      external_id: string('Id of the record of the tenant.'),
      starts_at: dateTime('Start of the slot.'),
      ends_at: dateTime('End of the slot.'),
      status: SessionStatus,
    },
    { description: 'The slot of a room on the board.' },
  ),
)

export const BoardRoom = named(
  'BoardRoom',
  Type.Object(
    {
      id: uuid('Id of the room.'),
      session: BoardSession,
      people: Type.Array(BoardPerson, { description: 'Who is in the room now.' }),
      recording: named(
        'BoardRecording',
        Type.Object(
          {
            archive_mode: ArchiveMode,
            status: nullable(
              RecordingStatus,
              'Status of the newest recording. Null when there is none.',
            ),
            composed_percent: Type.Optional(
              nullable(
                ComposedPercent,
                'How much of its file is composed, in percent. Null when it is not being composed.',
              ),
            ),
            estimated_available_at: Type.Optional(
              nullable(
                DateTime,
                'When its file is likely to be there. Null when that is not known.',
              ),
            ),
            missing_sec: Type.Optional(
              nullable(
                Type.Number({ minimum: 0 }),
                'How long at least one person is missing in the finished recording, in seconds. Null when no one is, or that is not known.',
              ),
            ),
          },
          { description: 'Whether the room is recorded.' },
        ),
      ),
      presentation: nullable(
        named(
          'BoardPresentation',
          Type.Object(
            { handout_id: uuid('Id of the handout.'), file_name: string('Name of the file.') },
            { description: 'The handout that is shown.' },
          ),
        ),
        'The handout that is shown. Null when none is.',
      ),
      help_requests: Type.Array(HelpRequest, {
        description: 'Requests for help that no one has answered.',
      }),
      alarms: Type.Array(BoardAlarm, { description: 'Alarms, the most urgent first.' }),
      provider_inspector_url: nullable(Type.String(), INSPECTOR),
    },
    { description: 'A room on the board.' },
  ),
)
export type BoardRoom = Static<typeof BoardRoom>

const HasMore = boolean('Whether there are more rooms than the board shows.')

/** The rooms of a tenant at a glance, in order of their start. */
export const BoardBody = named(
  'Board',
  Type.Object(
    {
      now: dateTime('Time of the service.'),
      expires_at: dateTime('When the board token expires.'),
      operator: named(
        'BoardOperator',
        Type.Object(
          { display_name: string('Name of the operator.') },
          { description: 'Who looks at the board.' },
        ),
      ),
      rooms: Type.Array(BoardRoom, { description: 'The rooms, in the order of their start.' }),
      has_more: HasMore,
    },
    { description: 'The rooms of a tenant at a glance.' },
  ),
)
export type BoardBody = Static<typeof BoardBody>

/** The events of `GET /board/stream`: the whole board, then its changes. */
export const BOARD_EVENTS = {
  board: BoardBody,
  rooms: named(
    'BoardChange',
    Type.Object(
      {
        now: dateTime('Time of the service.'),
        changed: Type.Array(BoardRoom, { description: 'Rooms that are new or changed.' }),
        gone: Type.Array(Uuid, { description: 'Ids of rooms that left the board.' }),
        has_more: HasMore,
      },
      { description: 'What changed on the board.' },
    ),
  ),
}
export type BoardEvents = { [K in keyof typeof BOARD_EVENTS]: Static<(typeof BOARD_EVENTS)[K]> }

/** Answer of `POST /board/rooms/{room_id}/pass`: the link with which the operator enters the room. */
export const BoardEntryTokenBody = named(
  'BoardEntryToken',
  Type.Object(
    {
      connect_url: string('Link that opens the room page for the operator.'),
      expires_at: dateTime('Until when the link can be used.'),
    },
    { description: 'A link into a room for an operator.' },
  ),
)
export type BoardEntryTokenBody = Static<typeof BoardEntryTokenBody>

/** Answer of `POST /board/rooms/{room_id}/help/answer`. */
export const HelpAnswerBody = named(
  'HelpAnswer',
  Type.Object(
    {
      answered: Type.Integer({
        minimum: 0,
        description: 'How many requests for help were open, and are answered now.',
      }),
    },
    { description: 'The answered requests for help.' },
  ),
)
export type HelpAnswerBody = Static<typeof HelpAnswerBody>
