import { type Static, Type } from 'typebox'
import { DateTime, freeText, Immutable, nullable, PageQuery, text } from './envelope.ts'
import { EXTERNAL_REF_MAX, SESSION_NAME_MAX } from './limits.ts'

/** Query of `GET /sessions`: the reverse lookup, always by both external parameters. */
export const SessionQuery = Type.Object(
  {
    external_type: text(EXTERNAL_REF_MAX),
    external_id: text(EXTERNAL_REF_MAX),
    ...PageQuery,
  },
  { additionalProperties: false },
)

/**
 * Merge patch of `PATCH /sessions/{session_id}`: absent is unchanged, null clears (`name` only).
 * `external_type` and `external_id` are known here to be refused as what they are: immutable.
 */
export const SessionPatch = Type.Object(
  {
    name: Type.Optional(nullable(freeText(SESSION_NAME_MAX, 0))),
    starts_at: Type.Optional(DateTime),
    ends_at: Type.Optional(DateTime),
    external_type: Type.Optional(Immutable),
    external_id: Type.Optional(Immutable),
  },
  { additionalProperties: false },
)
export type SessionPatch = Static<typeof SessionPatch>
