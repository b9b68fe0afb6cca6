import { type Static, Type } from 'typebox'
import {
  DateTime,
  ExternalId,
  freeText,
  Immutable,
  LanguageCode,
  nullable,
  oneOf,
  text,
  Uuid,
} from './envelope.ts'
import { CLOSE_REASON_MAX, EXTERNAL_REF_MAX, SESSION_NAME_MAX } from './limits.ts'
import {
  ARCHIVE_MODES,
  ARCHIVE_RESOLUTIONS,
  ROOM_KINDS,
  ROOM_STATUSES,
  SESSION_STATUSES,
  STREAM_FRAME_RATES,
  STREAM_RESOLUTIONS,
  type StreamFrameRate,
  TRANSCRIPTION_ENGINES,
} from './vocabulary.ts'

const STRICT = { additionalProperties: false } as const

const FrameRate = Type.Unsafe<StreamFrameRate>({ type: 'integer', enum: [...STREAM_FRAME_RATES] })

export const NewSession = Type.Object(
  {
    external_type: text(EXTERNAL_REF_MAX),
    external_id: ExternalId,
    name: Type.Optional(nullable(freeText(SESSION_NAME_MAX, 0))),
    starts_at: DateTime,
    ends_at: DateTime,
  },
  STRICT,
)

/** Body of `POST /rooms` (part A, "Rooms"). `session` is required for kind interview. */
export const NewRoom = Type.Object(
  {
    kind: oneOf(['interview'] as const),
    archive_mode: Type.Optional(oneOf(ARCHIVE_MODES)),
    archive_resolution: Type.Optional(oneOf(ARCHIVE_RESOLUTIONS)),
    stream_resolution: Type.Optional(oneOf(STREAM_RESOLUTIONS)),
    stream_frame_rate: Type.Optional(FrameRate),
    transcription_language: Type.Optional(LanguageCode),
    transcription_service: Type.Optional(oneOf(TRANSCRIPTION_ENGINES)),
    session: NewSession,
  },
  STRICT,
)
export type NewRoom = Static<typeof NewRoom>

/**
 * Merge patch of `PATCH /rooms/{room_id}`. What is set once at creation is known here to be
 * refused as what it is: immutable.
 */
export const RoomPatch = Type.Object(
  {
    transcription_language: Type.Optional(LanguageCode),
    transcription_service: Type.Optional(oneOf(TRANSCRIPTION_ENGINES)),
    archive_mode: Type.Optional(Immutable),
    archive_resolution: Type.Optional(Immutable),
    stream_resolution: Type.Optional(Immutable),
    stream_frame_rate: Type.Optional(Immutable),
  },
  STRICT,
)
export type RoomPatch = Static<typeof RoomPatch>

/** Answer of `PATCH /rooms/{room_id}`: the summary, with the fields that were changed. */
export const RoomSummary = Type.Object({
  id: Uuid,
  kind: oneOf(ROOM_KINDS),
  status: oneOf(ROOM_STATUSES),
  transcription_language: Type.Optional(Type.String()),
  transcription_service: Type.Optional(oneOf(TRANSCRIPTION_ENGINES)),
})
export type RoomSummary = Static<typeof RoomSummary>

/** Optional body of `POST /rooms/{room_id}/close`. */
export const CloseRoom = nullable(
  Type.Object({ reason: Type.Optional(freeText(CLOSE_REASON_MAX, 0)) }, STRICT),
)
export type CloseRoom = Static<typeof CloseRoom>

/** A Session as it stands inside a Room. */
export const EmbeddedSession = Type.Object({
  id: Uuid,
  external_type: Type.String(),
  external_id: Type.String(),
  starts_at: DateTime,
  ends_at: DateTime,
  status: oneOf(SESSION_STATUSES),
})

export const RoomBody = Type.Object({
  id: Uuid,
  kind: oneOf(ROOM_KINDS),
  status: oneOf(ROOM_STATUSES),
  archive_mode: oneOf(ARCHIVE_MODES),
  archive_resolution: oneOf(ARCHIVE_RESOLUTIONS),
  transcription_language: Type.String(),
  transcription_service: oneOf(TRANSCRIPTION_ENGINES),
  session: nullable(EmbeddedSession),
  stream_resolution: oneOf(STREAM_RESOLUTIONS),
  stream_frame_rate: FrameRate,
  connect_url: Type.String(),
  provider_inspector_url: nullable(Type.String()),
  created_at: DateTime,
})
export type RoomBody = Static<typeof RoomBody>

export const SessionBody = Type.Object({
  id: Uuid,
  external_type: Type.String(),
  external_id: Type.String(),
  name: nullable(Type.String()),
  access_token: Type.String(),
  starts_at: DateTime,
  ends_at: DateTime,
  status: oneOf(SESSION_STATUSES),
  room: Type.Object({ id: Uuid, session_id: Uuid, connect_url: Type.String() }),
  created_at: DateTime,
})
export type SessionBody = Static<typeof SessionBody>
