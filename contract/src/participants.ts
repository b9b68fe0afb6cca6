import { type Static, Type } from 'typebox'
import { DateTime, freeText, nullable, oneOf, PageQuery, Uuid } from './envelope.ts'
import { BAN_REASON_MAX } from './limits.ts'
import { PARTICIPANT_STATUSES, ROLES } from './vocabulary.ts'

const NullableText = nullable(Type.String())

export const ParticipantBody = Type.Object({
  id: Uuid,
  room_id: Uuid,
  role: oneOf(ROLES),
  display_name: Type.String(),
  external_type: NullableText,
  external_id: NullableText,
  status: oneOf(PARTICIPANT_STATUSES),
  banned_at: nullable(DateTime),
  created_at: DateTime,
})
export type ParticipantBody = Static<typeof ParticipantBody>

/** Query of `GET /rooms/{room_id}/participants`. */
export const ParticipantQuery = Type.Object(
  {
    role: Type.Optional(oneOf(ROLES)),
    status: Type.Optional(oneOf(PARTICIPANT_STATUSES)),
    ...PageQuery,
  },
  { additionalProperties: false },
)

export const EntryHistoryBody = Type.Object({
  id: Type.Integer(),
  room_id: Uuid,
  participant_id: nullable(Uuid),
  name: Type.String(),
  role: oneOf(ROLES),
  browser_name: NullableText,
  browser_version: NullableText,
  platform_name: NullableText,
  platform_version: NullableText,
  ip_address: NullableText,
  entered_at: DateTime,
  left_at: nullable(DateTime),
  duration_sec: nullable(Type.Integer()),
})
export type EntryHistoryBody = Static<typeof EntryHistoryBody>

/** Query of `GET /rooms/{room_id}/entry-histories`. */
export const EntryHistoryQuery = Type.Object(
  { role: Type.Optional(oneOf(ROLES)), ...PageQuery },
  { additionalProperties: false },
)

/** Body of `POST /rooms/{room_id}/participants/{participant_id}/ban`. */
export const BanRequest = Type.Object(
  { reason: freeText(BAN_REASON_MAX) },
  { additionalProperties: false },
)
export type BanRequest = Static<typeof BanRequest>

export const BanBody = Type.Object({ participant_id: Uuid, status: oneOf(['banned'] as const) })
export type BanBody = Static<typeof BanBody>
