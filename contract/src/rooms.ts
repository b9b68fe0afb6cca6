import { type Static, Type } from 'typebox'
import {
  ArchiveMode,
  ArchiveResolution,
  LiveTextAudience,
  RecordingStatus,
  RoomKind,
  RoomStatus,
  SessionStatus,
  StreamFrameRate,
  StreamResolution,
  TranscriptionEngine,
} from './enums.ts'
import {
  about,
  dateTime,
  ExternalId,
  ExternalType,
  freeText,
  Immutable,
  KEPT_CHARACTERS,
  LanguageCode,
  named,
  nullable,
  PageQuery,
  PeriodQuery,
  string,
  uuid,
} from './envelope.ts'
import { CLOSE_REASON_MAX, DEFAULT_ENGINE, DEFAULT_LANGUAGE, SESSION_NAME_MAX } from './limits.ts'
import { TRANSCRIPTION_ENGINES } from './vocabulary.ts'

const STRICT = { additionalProperties: false } as const

/** As many as there are besides the room's own engine. */
const FailoverEngines = Type.Array(TranscriptionEngine, {
  maxItems: TRANSCRIPTION_ENGINES.length - 1,
  uniqueItems: true,
})

export const INSPECTOR =
  'Page of the media provider that shows the media room. Null unless the operator has set one up.'

export const SessionName = nullable(
  freeText(SESSION_NAME_MAX, 0),
  `Name shown to people in the room. ${KEPT_CHARACTERS}`,
)

export const SessionRequest = named(
  'SessionRequest',
  Type.Object(
    {
      external_type: ExternalType,
      external_id: ExternalId,
      name: Type.Optional(SessionName),
      starts_at: dateTime('Start of the slot. People may enter from 30 minutes before.'),
      ends_at: dateTime(
        'End of the slot: after `starts_at`, in the future, and at most 24 hours after `starts_at`. People may enter until 30 minutes after.',
      ),
    },
    { ...STRICT, description: 'The slot to book. One external reference books one session.' },
  ),
)

/** Body of `POST /rooms` (part A, "Rooms"). `session` is required for kind interview. */
export const RoomRequest = named(
  'RoomRequest',
  Type.Object(
    {
      kind: Type.Literal('interview', {
        description: 'Always `interview`. Rooms of connection tests come from `/connection-tests`.',
      }),
      archive_mode: Type.Optional(
        about(ArchiveMode, 'When the room is recorded.', { default: 'always' }),
      ),
      archive_resolution: Type.Optional(
        about(ArchiveResolution, 'Resolution of the recorded video.', { default: '640x480' }),
      ),
      stream_resolution: Type.Optional(
        about(StreamResolution, 'Resolution that each camera publishes.', { default: '320x240' }),
      ),
      stream_frame_rate: Type.Optional(
        about(StreamFrameRate, 'Frames per second that each camera publishes.', { default: 15 }),
      ),
      transcription_language: Type.Optional(
        about(LanguageCode, 'Language that transcriptions of this room use by default.', {
          default: DEFAULT_LANGUAGE,
        }),
      ),
      transcription_service: Type.Optional(
        about(TranscriptionEngine, 'Engine that transcriptions of this room use by default.', {
          default: DEFAULT_ENGINE,
        }),
      ),
      transcription_failover: Type.Optional(
        nullable(
          FailoverEngines,
          'Extension. The engines that a transcription tries, in this order, when `transcription_service` cannot transcribe. An empty list tries no other. By default those of your settings.',
        ),
      ),
      live_text: Type.Optional(
        nullable(
          LiveTextAudience,
          'Extension. Who may read what is said while it is said. Never more people than your settings allow: the narrower of both counts. By default that of your settings.',
        ),
      ),
      session: SessionRequest,
    },
    { ...STRICT, description: 'The room to book, with its session.' },
  ),
)
export type RoomRequest = Static<typeof RoomRequest>

/**
 * Merge patch of `PATCH /rooms/{room_id}`. Members that are set only at creation are listed, so that they are refused
 * as immutable.
 */
export const RoomPatch = named(
  'RoomPatch',
  Type.Object(
    {
      transcription_language: Type.Optional(
        about(LanguageCode, 'Language of transcriptions that start from now on.'),
      ),
      transcription_service: Type.Optional(
        about(TranscriptionEngine, 'Engine of transcriptions that start from now on.'),
      ),
      archive_mode: Type.Optional(Immutable),
      archive_resolution: Type.Optional(Immutable),
      stream_resolution: Type.Optional(Immutable),
      stream_frame_rate: Type.Optional(Immutable),
    },
    { ...STRICT, description: 'The settings to change. An absent one stays as it is.' },
  ),
)
export type RoomPatch = Static<typeof RoomPatch>

/** Answer of `PATCH /rooms/{room_id}`: the summary and the changed fields. */
export const RoomSummary = named(
  'RoomSummary',
  Type.Object(
    {
      id: uuid('Id of the room.'),
      kind: RoomKind,
      status: RoomStatus,
      transcription_language: Type.Optional(
        string('The new language, in canonical spelling. Absent unless the patch had one.'),
      ),
      transcription_service: Type.Optional(
        about(TranscriptionEngine, 'The new engine. Absent unless the patch had one.'),
      ),
    },
    { description: 'A room in short, with the settings that were changed.' },
  ),
)
export type RoomSummary = Static<typeof RoomSummary>

/** Optional body of `POST /rooms/{room_id}/close`. */
export const CloseRoom = nullable(
  named(
    'CloseRoom',
    Type.Object(
      {
        reason: Type.Optional(
          about(
            freeText(CLOSE_REASON_MAX, 0),
            `Why you close the room. Recorded in the room event \`room.closed\`. ${KEPT_CHARACTERS}`,
          ),
        ),
      },
      { ...STRICT, description: 'Why the room is closed.' },
    ),
  ),
)
export type CloseRoom = Static<typeof CloseRoom>

const SLOT = {
  external_type: string('Kind of your record, as you gave it.'),
  external_id: string('Id of your record, as text.'),
  starts_at: dateTime('Start of the slot.'),
  ends_at: dateTime('End of the slot.'),
}

/** A Session embedded in a Room. */
export const EmbeddedSession = named(
  'SessionInRoom',
  Type.Object(
    { id: uuid('Id of the session.'), ...SLOT, status: SessionStatus },
    { description: 'The session of a room.' },
  ),
)

const CONNECT_URL =
  'Address of the room page. Append `#token=` and a participant token that your backend signs, and give the link to the person.'

export const RoomBody = named(
  'Room',
  Type.Object(
    {
      id: uuid('Id of the room.'),
      kind: RoomKind,
      status: RoomStatus,
      archive_mode: ArchiveMode,
      archive_resolution: ArchiveResolution,
      transcription_language: string(
        'Default language of transcriptions: a BCP 47 code in canonical spelling.',
      ),
      transcription_service: about(TranscriptionEngine, 'Default engine of transcriptions.'),
      transcription_failover: nullable(
        FailoverEngines,
        'Extension. The engines that are tried after `transcription_service`, as booked. Null: those of your settings.',
      ),
      live_text: nullable(
        LiveTextAudience,
        'Extension. Who may read what is said while it is said, as booked; the narrower of this and your settings counts. Null: that of your settings.',
      ),
      session: nullable(EmbeddedSession, 'The booked slot. Null in a room of a connection test.'),
      stream_resolution: StreamResolution,
      stream_frame_rate: StreamFrameRate,
      connect_url: string(CONNECT_URL),
      provider_inspector_url: nullable(Type.String(), INSPECTOR),
      created_at: dateTime('When the room was booked.'),
    },
    { description: 'A video room, where one interview takes place.' },
  ),
)
export type RoomBody = Static<typeof RoomBody>

/** Query of `GET /rooms`. */
export const RoomsQuery = Type.Object({ ...PeriodQuery, ...PageQuery }, STRICT)

/** Item of `GET /rooms`. */
export const RoomOverviewBody = named(
  'RoomOverview',
  Type.Object(
    {
      id: uuid('Id of the room.'),
      status: RoomStatus,
      archive_mode: ArchiveMode,
      session: named(
        'SessionOfOverview',
        Type.Object(
          {
            ...EmbeddedSession.properties,
            name: nullable(Type.String(), 'Name shown to people in the room. Null when unset.'),
          },
          { description: 'The session of a room, with its name.' },
        ),
      ),
      connect_url: RoomBody.properties.connect_url,
      people_present: Type.Integer({
        minimum: 0,
        description: 'People who are in the room now, observers and operators included.',
      }),
      entries: Type.Integer({
        minimum: 0,
        description: 'Media connections of the room so far, the present ones included.',
      }),
      recording_status: nullable(
        RecordingStatus,
        'Status of the newest recording. Null when there is none.',
      ),
      created_at: RoomBody.properties.created_at,
    },
    { description: 'A room, with what is happening in it now.' },
  ),
)
export type RoomOverviewBody = Static<typeof RoomOverviewBody>

export const SessionBody = named(
  'Session',
  Type.Object(
    {
      id: uuid('Id of the session.'),
      ...SLOT,
      name: nullable(Type.String(), 'Name shown to people in the room. Null when unset.'),
      access_token: string(
        'Admits an anonymous panelist on the simple route, together with a name. Keep it as secret as a password.',
      ),
      status: SessionStatus,
      room: named(
        'RoomOfSession',
        Type.Object(
          {
            id: uuid('Id of the room.'),
            session_id: uuid('Id of this session.'),
            connect_url: string(CONNECT_URL),
          },
          { description: 'The room of the session.' },
        ),
      ),
      created_at: dateTime('When the session was booked.'),
    },
    { description: 'A booked slot. Each session has one room.' },
  ),
)
export type SessionBody = Static<typeof SessionBody>
